package dev.treadle.capture;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/** Converts boxed values between the primitive types as the language does. */
final class Primitives {
    private static final Map<String, Class<?>> BY_DESCRIPTOR = Map.of(
            "Z", boolean.class,
            "B", byte.class,
            "S", short.class,
            "C", char.class,
            "I", int.class,
            "J", long.class,
            "F", float.class,
            "D", double.class);
    private static final Map<String, Class<?>> BY_BOX = Map.of(
            "java/lang/Boolean", boolean.class,
            "java/lang/Byte", byte.class,
            "java/lang/Short", short.class,
            "java/lang/Character", char.class,
            "java/lang/Integer", int.class,
            "java/lang/Long", long.class,
            "java/lang/Float", float.class,
            "java/lang/Double", double.class);

    private Primitives() {}

    /** The primitive type that a conversion method of a box class returns; null if the method does anything else. */
    static @Nullable Class<?> conversion(String owner, String name, String descriptor) {
        Class<?> box = BY_BOX.get(owner);
        if (box == null) {
            return null;
        }
        if (name.equals("valueOf") && descriptor.length() == "(J)L;".length() + owner.length()) {
            return BY_DESCRIPTOR.get(descriptor.substring(1, 2));
        }
        return name.endsWith("Value") && descriptor.startsWith("()")
                ? BY_DESCRIPTOR.get(descriptor.substring(2))
                : null;
    }

    /** The type of the elements that an instruction names which creates an array of primitives. */
    static Class<?> ofNewArray(int operand) {
        return switch (operand) {
            case Opcodes.T_BOOLEAN -> boolean.class;
            case Opcodes.T_CHAR -> char.class;
            case Opcodes.T_FLOAT -> float.class;
            case Opcodes.T_DOUBLE -> double.class;
            case Opcodes.T_BYTE -> byte.class;
            case Opcodes.T_SHORT -> short.class;
            case Opcodes.T_INT -> int.class;
            default -> long.class;
        };
    }

    /** The value as that primitive type. On the stack of the JVM a boolean or char may be an int. */
    static Object convert(@Nullable Object value, Class<?> to) {
        if (value == null) {
            throw new RefusedException(
                    "gives null where the primitive type " + to + " is needed",
                    "Give a value, or declare the parameter as the boxed type.");
        }
        if (to == boolean.class) {
            return value instanceof Boolean ? value : number(value).intValue() != 0;
        }
        if (to == char.class) {
            return value instanceof Character ? value : (char) number(value).intValue();
        }
        Number number = number(value);
        if (to == long.class) {
            return number.longValue();
        }
        if (to == int.class) {
            return number.intValue();
        }
        if (to == double.class) {
            return number.doubleValue();
        }
        if (to == float.class) {
            return number.floatValue();
        }
        return to == short.class ? (Object) number.shortValue() : (Object) number.byteValue();
    }

    private static Number number(Object value) {
        if (value instanceof Character c) {
            return (int) c;
        }
        return value instanceof Boolean b ? (b ? 1 : 0) : (Number) value;
    }
}
