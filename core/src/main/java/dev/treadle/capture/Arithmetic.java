package dev.treadle.capture;

import java.lang.invoke.SerializedLambda;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * A calculation with one or two primitive values.
 *
 * @param opcode the instruction
 * @param left   the first operand
 * @param right  the second one; null for a negation
 */
record Arithmetic(int opcode, Value left, @Nullable Value right) implements Value {
    private static final Class<?>[] TYPES = {int.class, long.class, float.class, double.class};

    /** Whether the instruction calculates with two values. */
    static boolean takesTwo(int opcode) {
        return opcode >= Opcodes.IADD && opcode <= Opcodes.LXOR && !takesOne(opcode);
    }

    /** Whether the instruction is a negation. */
    static boolean takesOne(int opcode) {
        return opcode >= Opcodes.INEG && opcode <= Opcodes.DNEG;
    }

    @Override
    public Object in(SerializedLambda lambda, @Nullable Object[] given) {
        // the instructions are numbered in the order int, long, float, double, and the bitwise ones int, long
        boolean isBitwise = opcode >= Opcodes.ISHL;
        Class<?> type = TYPES[(opcode - Opcodes.IADD) % (isBitwise ? 2 : TYPES.length)];
        boolean isShift = isBitwise && opcode < Opcodes.IAND;
        Object a = Primitives.convert(left.in(lambda, given), type);
        Object b = right == null ? a : Primitives.convert(right.in(lambda, given), isShift ? int.class : type);
        try {
            return switch (type.getName()) {
                case "int" -> ofInts((Integer) a, (Integer) b);
                case "long" -> ofLongs((Long) a, ((Number) b).longValue());
                case "float" -> ofFloats((Float) a, (Float) b);
                default -> ofDoubles((Double) a, (Double) b);
            };
        } catch (ArithmeticException e) {
            throw new RefusedException("calculates, which failed: " + e.getMessage(), "Check the values before.", e);
        }
    }

    @Override
    public Value linked(ClassLoader loader) {
        return new Arithmetic(opcode, left.linked(loader), right == null ? null : right.linked(loader));
    }

    private int ofInts(int a, int b) {
        return switch (opcode) {
            case Opcodes.IADD -> a + b;
            case Opcodes.ISUB -> a - b;
            case Opcodes.IMUL -> a * b;
            case Opcodes.IDIV -> a / b;
            case Opcodes.IREM -> a % b;
            case Opcodes.INEG -> -a;
            case Opcodes.ISHL -> a << b;
            case Opcodes.ISHR -> a >> b;
            case Opcodes.IUSHR -> a >>> b;
            case Opcodes.IAND -> a & b;
            case Opcodes.IOR -> a | b;
            default -> a ^ b;
        };
    }

    private long ofLongs(long a, long b) {
        return switch (opcode) {
            case Opcodes.LADD -> a + b;
            case Opcodes.LSUB -> a - b;
            case Opcodes.LMUL -> a * b;
            case Opcodes.LDIV -> a / b;
            case Opcodes.LREM -> a % b;
            case Opcodes.LNEG -> -a;
            case Opcodes.LSHL -> a << b;
            case Opcodes.LSHR -> a >> b;
            case Opcodes.LUSHR -> a >>> b;
            case Opcodes.LAND -> a & b;
            case Opcodes.LOR -> a | b;
            default -> a ^ b;
        };
    }

    private float ofFloats(float a, float b) {
        return switch (opcode) {
            case Opcodes.FADD -> a + b;
            case Opcodes.FSUB -> a - b;
            case Opcodes.FMUL -> a * b;
            case Opcodes.FDIV -> a / b;
            case Opcodes.FREM -> a % b;
            default -> -a;
        };
    }

    private double ofDoubles(double a, double b) {
        return switch (opcode) {
            case Opcodes.DADD -> a + b;
            case Opcodes.DSUB -> a - b;
            case Opcodes.DMUL -> a * b;
            case Opcodes.DDIV -> a / b;
            case Opcodes.DREM -> a % b;
            default -> -a;
        };
    }
}
