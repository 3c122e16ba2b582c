package dev.treadle.simulation;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What one world writes down about itself: its trace, what it reached, and the first invariant that did not hold. */
final class Notes {
    private final Trace trace;
    private final Map<Sometimes, Integer> reached = new EnumMap<>(Sometimes.class);
    private @Nullable Violation first;

    Notes(Trace trace) {
        this.trace = trace;
    }

    void say(String actor, String verb, Object detail) {
        trace.add(actor, verb, detail);
    }

    void hum(String actor, String verb) {
        trace.hum(actor, verb);
    }

    void reached(Sometimes what) {
        reached.merge(what, 1, Integer::sum);
    }

    Map<Sometimes, Integer> reached() {
        return reached;
    }

    void demand(boolean holds, Invariant invariant, Supplier<String> otherwise) {
        if (!holds) {
            throw broken(invariant, otherwise.get());
        }
    }

    /** Keeps the first violation, because user code's border swallows whatever is thrown below it. */
    Violation broken(Invariant invariant, String what) {
        Violation violation = new Violation(invariant, what);
        if (first == null) {
            first = violation;
            trace.add("!!!!", "VIOLATION", violation.getMessage());
        }
        return violation;
    }

    void throwFirst() {
        if (first != null) {
            throw first;
        }
    }
}
