package dev.treadle.watch;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A figure shown to management tools.
 *
 * @param name  as consoles show it
 * @param about what it means, with its unit
 * @param type  the type of the value: a string, a number or a boolean, so that a console needs no class of ours
 * @param value reads it; cheap, from any thread
 */
public record Reading(String name, String about, Class<?> type, Supplier<? extends @Nullable Object> value) {
    /** A reading whose value is text. */
    public static Reading text(String name, String about, Supplier<@Nullable String> value) {
        return new Reading(name, about, String.class, value);
    }

    /** A reading whose value is a number. */
    public static Reading number(String name, String about, Supplier<Long> value) {
        return new Reading(name, about, Long.class, value);
    }

    /** A reading whose value is true or false. */
    public static Reading flag(String name, String about, Supplier<Boolean> value) {
        return new Reading(name, about, Boolean.class, value);
    }
}
