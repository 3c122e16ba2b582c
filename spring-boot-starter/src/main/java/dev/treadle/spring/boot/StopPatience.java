package dev.treadle.spring.boot;

import dev.treadle.api.TreadleSetupException;
import dev.treadle.server.JobServerSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;

/** How long running jobs may continue when the application stops: within what Spring allows one phase of the shutdown. */
final class StopPatience {
    /** What a stop takes beside the patience, at most: interrupted jobs end, and their endings are written. */
    static final Duration BESIDE = Duration.ofSeconds(6);

    private static final String LIMIT = "spring.lifecycle.timeout-per-shutdown-phase";

    private StopPatience() {}

    /**
     * @param set what the application says; null if it says nothing
     * @throws TreadleSetupException if Spring would not wait as long
     */
    static Duration of(@Nullable Duration set, Environment environment) {
        Duration limit = DurationStyle.detectAndParse(environment.getProperty(LIMIT, "30s"));
        Duration longest = limit.minus(BESIDE);
        if (set == null) {
            Duration usual = JobServerSettings.DEFAULT.stopPatience();
            return longest.isNegative() ? Duration.ZERO : longest.compareTo(usual) < 0 ? longest : usual;
        }
        if (set.compareTo(longest) > 0) {
            throw new TreadleSetupException(
                    "treadle.server.stop-patience is " + set + ", and Spring ends each phase of a shutdown after "
                            + limit + ": it would go on while jobs run.",
                    "Set " + LIMIT + " to " + set.plus(BESIDE).toSeconds()
                            + "s or more, or treadle.server.stop-patience to less.",
                    null);
        }
        return set;
    }
}
