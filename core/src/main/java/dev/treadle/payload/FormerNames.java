package dev.treadle.payload;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The former names of a class or a method, and how the arguments stored under each become what they are now. */
final class FormerNames {
    /** Most former names of one class or method. */
    static final int NAMES_MAX = 50;

    private final List<String> oldestFirst;
    private final Map<String, UnaryOperator<Object>> changes = new HashMap<>();

    FormerNames(String what, List<String> oldestFirst) {
        if (oldestFirst.size() > NAMES_MAX) {
            throw new IllegalArgumentException(what + " has " + oldestFirst.size() + " former names, and may have "
                    + NAMES_MAX + ". Leave out those under which no job is stored.");
        }
        this.oldestFirst = oldestFirst;
    }

    List<String> oldestFirst() {
        return oldestFirst;
    }

    /** The oldest; null if there is none. */
    @Nullable
    String oldest() {
        return oldestFirst.isEmpty() ? null : oldestFirst.get(0);
    }

    /** Only while a {@link TypeNames} is built. */
    void add(String what, String former, UnaryOperator<Object> change) {
        if (!oldestFirst.contains(former)) {
            throw new IllegalArgumentException("An upcast is given for " + what + " stored as '" + former
                    + "', which is none of its former names " + oldestFirst + ". Name it in formerly.");
        }
        if (changes.put(former, change) != null) {
            throw new IllegalArgumentException(
                    "Two upcasts are given for " + what + " stored as '" + former + "'. Make them one.");
        }
    }

    /** Arguments that were stored under a name, as they are now. */
    String upcast(String stored, String json) {
        if (changes.isEmpty()) {
            return json;
        }
        int bracket = stored.indexOf('(');
        int whole = oldestFirst.indexOf(stored);
        int from = whole >= 0 || bracket < 0 ? whole : oldestFirst.indexOf(stored.substring(0, bracket));
        if (from < 0) {
            return json;
        }
        Object tree = null;
        for (String name : oldestFirst.subList(from, oldestFirst.size())) {
            UnaryOperator<Object> change = changes.get(name);
            if (change != null) {
                tree = changed(change, tree == null ? JsonTree.read(json) : tree, name);
            }
        }
        return tree == null ? json : JsonTree.write(tree);
    }

    private static Object changed(UnaryOperator<Object> change, Object tree, String name) {
        try {
            Object now = change.apply(tree);
            if (now == null) {
                throw new IllegalStateException("it returned null");
            }
            return now;
        } catch (RuntimeException e) {
            throw new UnreadableArgumentsException(
                    "The upcast of what was stored as '" + name + "' failed: " + e
                            + ". Mend it, deploy it, and let the job run again.",
                    e);
        }
    }
}
