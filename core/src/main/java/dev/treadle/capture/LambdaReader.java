package dev.treadle.capture;

import static org.objectweb.asm.Opcodes.*;

import dev.treadle.payload.MethodName;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * Reads a lambda's body and finds the one call it makes. Follows loads, constants, fields and conversions on a stack of
 * {@link Value}s. Every other instruction does more than call one method with values, and the refusal says what it
 * does.
 */
final class LambdaReader extends MethodVisitor {
    private static final String COMPUTE_BEFORE =
            "A job is one call with values. Compute them before: var id = order.id(); jobs.enqueue(() -> slips.generate(id)).";
    private static final String MOVE_INTO_METHOD =
            "A job is one call with values. Put that into a method of your own and call it: jobs.enqueue(() -> slips.generate(42L)).";

    private final ClassLoader loader;
    private final Map<Integer, Value> locals = new HashMap<>();
    private final Deque<Value> stack = new ArrayDeque<>();
    private @Nullable FoundCall call;
    private int line;

    /**
     * @param parameters the body's parameters in order, {@code this} included
     * @param loader     of the code
     */
    LambdaReader(Value[] parameters, Type[] types, ClassLoader loader) {
        super(ASM9);
        this.loader = loader;
        int slot = 0;
        for (int i = 0; i < parameters.length; i++) {
            locals.put(slot, parameters[i]);
            slot += types[i].getSize();
        }
    }

    /** The call; refuses a body without one. */
    FoundCall call() {
        if (call == null) {
            throw new RefusedException(
                    "calls no method", "Give a lambda that calls one: jobs.enqueue(() -> slips.generate(42L)).");
        }
        return call;
    }

    /** The line of the last instruction that was read; 0 if the class has no line numbers. */
    int line() {
        return line;
    }

    @Override
    public void visitLineNumber(int number, Label start) {
        // before the call, because the return has the line of the closing brace
        line = call == null ? number : line;
    }

    /** Handles every instruction without an operand. */
    @Override
    public void visitInsn(int opcode) {
        switch (opcode) {
            case NOP, RETURN, IRETURN, LRETURN, FRETURN, DRETURN, ARETURN -> {}
            case POP, POP2 -> stack.pop();
            case ACONST_NULL -> push(new Value.Constant(null));
            case ICONST_M1, ICONST_0, ICONST_1, ICONST_2, ICONST_3, ICONST_4, ICONST_5 -> constant(opcode - ICONST_0);
            case LCONST_0, LCONST_1 -> constant((long) (opcode - LCONST_0));
            case FCONST_0, FCONST_1, FCONST_2 -> constant((float) (opcode - FCONST_0));
            case DCONST_0, DCONST_1 -> constant((double) (opcode - DCONST_0));
            case I2B -> convert(byte.class);
            case I2C -> convert(char.class);
            case I2S -> convert(short.class);
            case L2I, F2I, D2I -> convert(int.class);
            case I2L, F2L, D2L -> convert(long.class);
            case I2F, L2F, D2F -> convert(float.class);
            case I2D, L2D, F2D -> convert(double.class);
            case IALOAD, LALOAD, FALOAD, DALOAD, AALOAD, BALOAD, CALOAD, SALOAD, ARRAYLENGTH ->
                throw refused("reads from an array", COMPUTE_BEFORE);
            case IASTORE, LASTORE, FASTORE, DASTORE, AASTORE, BASTORE, CASTORE, SASTORE -> putIntoArray();
            case LCMP, FCMPL, FCMPG, DCMPL, DCMPG -> throw refused("compares values", COMPUTE_BEFORE);
            case MONITORENTER, MONITOREXIT -> throw refused("has a synchronized block", MOVE_INTO_METHOD);
            case ATHROW -> throw refused("throws an exception", MOVE_INTO_METHOD);
            // allowed, because it begins code that another refusal describes better, such as a synchronized block
            case DUP -> push(stack.element());
            default -> calculate(opcode);
        }
    }

    private void calculate(int opcode) {
        if (Arithmetic.takesOne(opcode)) {
            push(new Arithmetic(opcode, pop(), null));
        } else if (Arithmetic.takesTwo(opcode)) {
            Value right = pop();
            push(new Arithmetic(opcode, pop(), right));
        } else {
            throw refused("calculates", COMPUTE_BEFORE);
        }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        if (opcode == NEWARRAY) {
            newArray(Primitives.ofNewArray(operand));
        } else {
            constant(operand);
        }
    }

    private void newArray(Class<?> component) {
        boolean isShort = pop() instanceof Value.Constant constant
                && constant.value() instanceof Integer length
                && length <= Made.NewArray.ELEMENTS_MAX
                && push(new Made.NewArray(component, length));
        if (!isShort) {
            throw newArray();
        }
    }

    private void putIntoArray() {
        Value element = pop();
        Value index = pop();
        boolean isKnown = pop() instanceof Made.NewArray array
                && index instanceof Value.Constant constant
                && constant.value() instanceof Integer at
                && array.has(at)
                && array.put(at, element);
        if (!isKnown) {
            throw refused("writes to an array", MOVE_INTO_METHOD);
        }
    }

    @Override
    public void visitLdcInsn(Object value) {
        if (value instanceof Type || value instanceof Handle || value instanceof ConstantDynamic) {
            throw refused("has a class or another value that is no data", "Give its name as text, or an id.");
        }
        constant(value);
    }

    @Override
    public void visitVarInsn(int opcode, int slot) {
        switch (opcode) {
            case ILOAD, LLOAD, FLOAD, DLOAD, ALOAD -> push(locals.get(slot));
            case ISTORE, LSTORE, FSTORE, DSTORE, ASTORE -> locals.put(slot, pop());
            default -> throw refused("jumps", MOVE_INTO_METHOD);
        }
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        switch (opcode) {
            // nothing to do: each argument is checked against its parameter when it is captured
            case CHECKCAST -> onlyOneCall("casts the result of " + callText());
            case ANEWARRAY -> newArray(load(type));
            case INSTANCEOF -> throw refused("asks for a type with instanceof", COMPUTE_BEFORE);
            default -> newRecord(type);
        }
    }

    private void newRecord(String type) {
        Class<?> created = load(type);
        if (!created.isRecord()) {
            throw refused(
                    "creates a new " + created.getName(),
                    "A job is one call with values. Create it before: var when = new Date(); jobs.enqueue(() -> slips.generate(when)).");
        }
        push(new Made.NewRecord(created));
    }

    private Class<?> load(String type) {
        String name = Type.getObjectType(type).getClassName();
        try {
            return type.startsWith("[")
                    ? Class.forName(type.replace('/', '.'), false, loader)
                    : Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw refused("creates a " + name + ", which cannot be loaded (" + e + ")", COMPUTE_BEFORE);
        }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        if (opcode == PUTFIELD || opcode == PUTSTATIC) {
            throw refused("writes to the field " + name, MOVE_INTO_METHOD);
        }
        Value of = opcode == GETFIELD ? pop() : null;
        push(new Value.NamedField(of, Type.getObjectType(owner).getClassName(), name));
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        if (opcode == INVOKESPECIAL && name.equals("<init>")) {
            construct(descriptor);
            return;
        }
        if (opcode == INVOKESPECIAL) {
            // refused, because the job would be called on an object of the superclass, which does something else
            throw refused("calls " + name + " of a superclass, or a private method", MOVE_INTO_METHOD);
        }
        Class<?> conversion = Primitives.conversion(owner, name, descriptor);
        if (conversion != null && call == null) {
            convert(conversion);
            return;
        }
        Value[] arguments = new Value[Type.getArgumentCount(descriptor)];
        for (int i = arguments.length - 1; i >= 0; i--) {
            arguments[i] = stack.pop();
        }
        if (isKotlinCheck(owner, name)) {
            return;
        }
        if (Concatenation.isTextOfObject(owner, name, descriptor) && call == null) {
            push(Concatenation.of(null, List.of(arguments), Type.getArgumentTypes(descriptor), List.of()));
            return;
        }
        Value receiver = opcode == INVOKESTATIC ? null : stack.pop();
        if (takesReceiver(opcode, owner, name, descriptor)) {
            receiver = arguments[0];
            arguments[0] = new Value.Constant(null);
        }
        FoundCall found = new FoundCall(
                Type.getObjectType(owner).getClassName(), name, descriptor, receiver, Arrays.asList(arguments));
        Called value = call == null ? Called.of(opcode, found, receiver, loader) : null;
        if (value != null) {
            push(value);
            return;
        }
        onlyOneCall("makes two calls, " + callText() + " and " + found.shortText());
        call = found;
        if (Type.getReturnType(descriptor) != Type.VOID_TYPE) {
            stack.push(new Value.Constant(null));
        }
    }

    /** The constructor of a record; the record itself is still on the stack below. */
    private void construct(String descriptor) {
        List<Value> arguments = popped(Type.getArgumentCount(descriptor));
        if (!(pop() instanceof Made.NewRecord made)) {
            throw refused("calls a constructor of a superclass", MOVE_INTO_METHOD);
        }
        made.construct(MethodType.fromMethodDescriptorString(descriptor, loader).parameterArray(), arguments);
    }

    private List<Value> popped(int count) {
        LinkedList<Value> values = new LinkedList<>();
        for (int i = 0; i < count; i++) {
            values.addFirst(pop());
        }
        return List.copyOf(values);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        if (bootstrap.getOwner().equals("java/lang/invoke/StringConcatFactory")) {
            Type[] types = Type.getArgumentTypes(descriptor);
            List<Object> constants = Arrays.asList(arguments);
            String recipe = constants.isEmpty() ? null : String.valueOf(constants.get(0));
            List<Object> others = constants.isEmpty() ? constants : constants.subList(1, constants.size());
            push(Concatenation.of(recipe, popped(types.length), types, others));
            return;
        }
        throw switch (bootstrap.getOwner()) {
            case "java/lang/invoke/LambdaMetafactory" ->
                refused("has another lambda or method reference inside", MOVE_INTO_METHOD);
            default -> refused("does more than one call", MOVE_INTO_METHOD);
        };
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        throw refused("has a condition or a loop", MOVE_INTO_METHOD);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
        throw refused("has a switch", MOVE_INTO_METHOD);
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
        throw refused("has a switch", MOVE_INTO_METHOD);
    }

    @Override
    public void visitIincInsn(int slot, int increment) {
        throw refused("calculates", COMPUTE_BEFORE);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        throw newArray();
    }

    /** The null checks of parameters that kotlinc puts at the beginning of a body. */
    private static boolean isKotlinCheck(String owner, String name) {
        return owner.equals("kotlin/jvm/internal/Intrinsics") && name.startsWith("check");
    }

    /**
     * A Kotlin call with default arguments: it goes to a static method that takes the receiver first and fills them in.
     */
    private static boolean takesReceiver(int opcode, String owner, String name, String descriptor) {
        return opcode == INVOKESTATIC
                && name.endsWith(MethodName.DEFAULTS)
                && descriptor.startsWith("(L" + owner + ";");
    }

    private void constant(Object value) {
        push(new Value.Constant(value));
    }

    private void convert(Class<?> to) {
        push(new Value.Converted(pop(), to));
    }

    /** @return true, always */
    private boolean push(Value value) {
        onlyOneCall("does more after the call of " + callText());
        stack.push(value);
        return true;
    }

    private Value pop() {
        onlyOneCall("uses the result of " + callText());
        return stack.pop();
    }

    private void onlyOneCall(String what) {
        if (call != null) {
            throw refused(what, COMPUTE_BEFORE);
        }
    }

    private String callText() {
        return call == null ? "" : call.shortText();
    }

    private static RefusedException newArray() {
        return refused(
                "creates an array (a call with variable arguments does)",
                "A job is one call with values. Create it before, or declare a List: var names = List.of(\"a\", \"b\"); jobs.enqueue(() -> slips.print(names)).");
    }

    private static RefusedException refused(String what, String instead) {
        return new RefusedException(what, instead);
    }
}
