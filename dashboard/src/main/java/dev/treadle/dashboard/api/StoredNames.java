package dev.treadle.dashboard.api;

import dev.treadle.job.Invocation;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What jobs call, under the names that this process has for what is stored. So the jobs of a renamed class are shown and
 * found as one.
 *
 * @param here    a stored call by the names that its class and method have in the code
 * @param aliases each target that differs from the one in the code, with that one
 */
public record StoredNames(UnaryOperator<Invocation> here, Supplier<Map<String, String>> aliases) {
    /** A stored target as it is in the code. */
    String here(String target) {
        int method = target.indexOf('#');
        return here.apply(
                        method < 0
                                ? new Invocation(target, null, "")
                                : new Invocation(target.substring(0, method), target.substring(method + 1), ""))
                .target();
    }

    /** Whether a word occurs in the name of something in the code that is stored under a name without it. */
    boolean isOfCode(String word) {
        String wanted = word.toLowerCase(Locale.ROOT);
        return aliases.get().entrySet().stream()
                .anyMatch(alias -> searched(alias.getValue()).contains(wanted)
                        && !searched(alias.getKey()).contains(wanted));
    }

    /** A target as people search for it: with a dot before the method, as storages do. */
    static String searched(String target) {
        return target.replace('#', '.').toLowerCase(Locale.ROOT);
    }
}
