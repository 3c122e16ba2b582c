package dev.treadle.cdi;

import dev.treadle.api.TreadleSetupException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * The properties of an application: of MicroProfile Config where it is there, else of the system.
 *
 * @param value the value of a name; null if there is none
 */
record ApplicationProperties(Function<String, @Nullable String> value) {
    static final ApplicationProperties NONE = new ApplicationProperties(name -> null);

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^:{}]+)(?::([^{}]*))?}");

    static ApplicationProperties ofApplication() {
        return Classes.isPresent("org.eclipse.microprofile.config.ConfigProvider")
                ? new ApplicationProperties(MicroProfile.values())
                : new ApplicationProperties(System::getProperty);
    }

    /** Loaded only where there is MicroProfile Config. */
    private static final class MicroProfile {
        static Function<String, @Nullable String> values() {
            Config config = ConfigProvider.getConfig();
            return name -> config.getOptionalValue(name, String.class).orElse(null);
        }
    }

    /** The text of a property; null if it is not set. */
    @Nullable
    String text(String name) {
        String set = value.apply(name);
        return set == null || set.isBlank() ? null : set.strip();
    }

    /** @throws TreadleSetupException if it is something else */
    boolean flag(String name, boolean otherwise) {
        String set = text(name);
        if (set == null) {
            return otherwise;
        }
        if (!set.equals("true") && !set.equals("false")) {
            throw wrong(name, set, "Write true or false.", null);
        }
        return set.equals("true");
    }

    /** @throws TreadleSetupException if it is something else */
    @Nullable
    Integer number(String name) {
        String set = text(name);
        try {
            return set == null ? null : Integer.valueOf(set);
        } catch (NumberFormatException e) {
            throw wrong(name, set, "Write a whole number.", e);
        }
    }

    /** @throws TreadleSetupException if it is something else */
    @Nullable
    Duration duration(String name) {
        String set = text(name);
        try {
            return set == null ? null : Duration.parse(set);
        } catch (DateTimeException e) {
            throw wrong(name, set, "Write a duration in ISO 8601, such as PT10S.", e);
        }
    }

    /** @throws TreadleSetupException if it is something else */
    <E extends Enum<E>> @Nullable E choice(String name, Class<E> of) {
        String set = text(name);
        if (set == null) {
            return null;
        }
        for (E one : of.getEnumConstants()) {
            if (one.name().equalsIgnoreCase(set)) {
                return one;
            }
        }
        throw wrong(name, set, "Write one of " + Arrays.toString(of.getEnumConstants()) + ".", null);
    }

    private static TreadleSetupException wrong(
            String name, @Nullable String set, String remedy, @Nullable Exception e) {
        return new TreadleSetupException("The property " + name + " is '" + set + "'.", remedy, e);
    }

    /**
     * A text with the values of its placeholders, <code>${name}</code> or <code>${name:otherwise}</code>.
     *
     * @throws IllegalArgumentException if one has no value
     */
    String resolved(String text) {
        Matcher placeholder = PLACEHOLDER.matcher(text);
        StringBuilder resolved = new StringBuilder();
        while (placeholder.find()) {
            String set = value.apply(placeholder.group(1).strip());
            String found = set == null ? placeholder.group(2) : set;
            if (found == null) {
                throw new IllegalArgumentException("The property of the placeholder " + placeholder.group()
                        + " is not set. Set it, or write what holds without it after a colon.");
            }
            placeholder.appendReplacement(resolved, Matcher.quoteReplacement(found));
        }
        return placeholder.appendTail(resolved).toString();
    }
}
