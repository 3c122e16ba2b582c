package dev.treadle.payload;

import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.exc.InvalidDefinitionException;

/** Describes an exception of Jackson or of an accessor in one bounded line, with the cure. */
final class Reason {
    /** The longest text that is copied from another library, in characters. */
    private static final int REASON_CHARS_MAX = 400;

    private static final String UNNAMED =
            " Its constructor's parameters have no names in the class file: compile it with"
                    + " -parameters (javac) or -java-parameters (kotlinc; javaParameters in its Maven and Gradle plugins), or make"
                    + " it a record.";

    private Reason() {}

    static String of(RuntimeException e) {
        String said = e instanceof JacksonException j ? j.getOriginalMessage() + at(j) : e.getMessage();
        String line = (said == null ? e.getClass().getName() : said).replaceAll("\\s+", " ");
        return line.length() <= REASON_CHARS_MAX ? line : line.substring(0, REASON_CHARS_MAX) + " … (cut)";
    }

    /**
     * The cure, beginning with a space: the one that the error names, or else the line that a module lacks, or else the
     * usual one.
     */
    static String cure(RuntimeException e, String lacking, String mostly) {
        if (e instanceof NotTheSameException other) {
            return " " + other.cure();
        }
        if (e instanceof UnusableBindingException) {
            return "";
        }
        if (e instanceof InvalidDefinitionException of) {
            if (isUnnamed(of.getType())) {
                return UNNAMED;
            }
        }
        return lacking.isEmpty() ? mostly : lacking;
    }

    /** Whether there are constructors that the binding could use if it knew the names of their parameters. */
    private static boolean isUnnamed(@Nullable JavaType type) {
        if (type == null || type.getRawClass().isRecord() || NeverTargets.isPlatform(type.getRawClass())) {
            return false;
        }
        for (Constructor<?> constructor : type.getRawClass().getDeclaredConstructors()) {
            if (!Modifier.isPublic(constructor.getModifiers()) && !KotlinTypes.isHidden(constructor)) {
                continue;
            }
            for (Parameter parameter : constructor.getParameters()) {
                if (!parameter.isNamePresent()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String at(JacksonException e) {
        return e.getPath().isEmpty() ? "" : " (at " + e.getPathReference() + ")";
    }
}
