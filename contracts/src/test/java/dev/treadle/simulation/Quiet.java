package dev.treadle.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/** Silences the engine's log: in here failures are the rule. */
final class Quiet {
    private Quiet() {}

    static <T> T during(Supplier<T> work) {
        Logger engine = (Logger) LoggerFactory.getLogger("dev.treadle");
        Level before = engine.getLevel();
        engine.setLevel(Level.OFF);
        try {
            return work.get();
        } finally {
            engine.setLevel(before);
        }
    }
}
