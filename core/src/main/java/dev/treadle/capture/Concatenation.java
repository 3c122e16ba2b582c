package dev.treadle.capture;

import java.lang.invoke.SerializedLambda;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * Text that is put together, as compilers write it since Java 9.
 *
 * @param parts a {@link String} as it is, or a {@link Part}
 */
record Concatenation(List<Object> parts) implements Value {
    private static final char ARGUMENT = '\u0001';
    private static final char CONSTANT = '\u0002';

    /** A value and the type that the code has it as. */
    record Part(Value value, String descriptor) {}

    /** Whether it is the call that compilers put before an object that becomes part of a text. */
    static boolean isTextOfObject(String owner, String name, String descriptor) {
        return owner.equals("java/lang/String")
                && name.equals("valueOf")
                && descriptor.equals("(Ljava/lang/Object;)Ljava/lang/String;");
    }

    /**
     * @param recipe    text with a mark for each value and each constant; null if there are only values
     * @param constants what stands for the marks of constants
     */
    static Concatenation of(@Nullable String recipe, List<Value> values, Type[] types, List<Object> constants) {
        String marks = recipe == null ? String.valueOf(ARGUMENT).repeat(values.size()) : recipe;
        List<Object> parts = new ArrayList<>();
        int value = 0;
        int constant = 0;
        for (char c : marks.toCharArray()) {
            if (c == ARGUMENT) {
                parts.add(new Part(values.get(value), types[value].getDescriptor()));
                value++;
            } else {
                parts.add(c == CONSTANT ? String.valueOf(constants.get(constant++)) : String.valueOf(c));
            }
        }
        return new Concatenation(parts);
    }

    @Override
    public Object in(SerializedLambda lambda, @Nullable Object[] given) {
        StringBuilder text = new StringBuilder();
        for (Object part : parts) {
            text.append(part instanceof Part some ? text(some, some.value.in(lambda, given)) : part);
        }
        return text.toString();
    }

    @Override
    public Value linked(ClassLoader loader) {
        return new Concatenation(parts.stream()
                .map(part -> part instanceof Part some ? new Part(some.value.linked(loader), some.descriptor) : part)
                .toList());
    }

    private static String text(Part part, @Nullable Object value) {
        Object typed = switch (part.descriptor) {
            case "C" -> Primitives.convert(value, char.class);
            case "Z" -> Primitives.convert(value, boolean.class);
            default -> value;
        };
        if (typed == null || isPlain(typed)) {
            return String.valueOf(typed);
        }
        throw new RefusedException(
                "puts a " + typed.getClass().getName() + " into a text, whose toString() is not called here",
                "Build the text before: var text = \"Slip \" + slip; jobs.enqueue(() -> slips.print(text)).");
    }

    /** Whether its text comes from the platform. */
    private static boolean isPlain(Object value) {
        boolean isKnown = value instanceof String
                || value instanceof Number
                || value instanceof Character
                || value instanceof Boolean
                || value instanceof UUID
                || value instanceof TemporalAccessor
                || value instanceof TemporalAmount;
        return isKnown && value.getClass().getName().startsWith("java.");
    }
}
