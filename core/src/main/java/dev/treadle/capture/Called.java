package dev.treadle.capture;

import dev.treadle.payload.KotlinTypes;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A call that computes an argument and that may be made when the job is enqueued, because it makes no difference when it is
 * made: a component of a record is read, a value class of the platform is asked, or one of Kotlin is made.
 *
 * @param method    what is called
 * @param receiver  the object it is called on; null if it is static
 * @param arguments its arguments
 */
record Called(Method method, @Nullable Value receiver, List<Value> arguments) implements Value {
    static final String BEFORE = "Compute it before: var id = order.id(); jobs.enqueue(() -> slips.generate(id)).";

    /** Their objects never change, and their methods run no code of an application but equals and hashCode. */
    private static final Set<String> VALUES = Set.of(
            "java/lang/String",
            "java/lang/Boolean",
            "java/lang/Byte",
            "java/lang/Character",
            "java/lang/Short",
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Float",
            "java/lang/Double",
            "java/lang/Math",
            "java/math/BigDecimal",
            "java/math/BigInteger",
            "java/util/UUID");

    /** Only what creates them. */
    private static final Set<String> COLLECTIONS =
            Set.of("java/util/List", "java/util/Set", "java/util/Map", "java/util/Optional");

    /** Answers that depend on when, where or by whom they are asked, or on code of the application. */
    private static final Set<String> NOT_VALUES = Set.of(
            "now",
            "random",
            "randomUUID",
            "systemDefault",
            "getInteger",
            "getLong",
            "getBoolean",
            "format",
            "formatted",
            "join",
            "toLowerCase",
            "toUpperCase",
            "getDisplayName",
            "copyOf",
            "query",
            "adjustInto",
            "getBytes");

    /**
     * The call; null if it may not be made when the job is enqueued.
     *
     * @param loader of the code
     */
    static @Nullable Called of(int opcode, FoundCall call, @Nullable Value receiver, ClassLoader loader) {
        String owner = call.owner().replace('.', '/');
        boolean isStatic = opcode == Opcodes.INVOKESTATIC;
        boolean isOfPlatform = owner.startsWith("java/");
        boolean makesKotlin = isStatic && KotlinTypes.isNameOfMaker(call.name());
        if (isOfPlatform
                ? !isPlatforms(owner, call, isStatic)
                : !makesKotlin && (isStatic || !call.arguments().isEmpty())) {
            return null;
        }
        try {
            Class<?> type = Class.forName(call.owner(), false, loader);
            MethodType shape = MethodType.fromMethodDescriptorString(call.descriptor(), loader);
            Method method = isOfPlatform
                    ? type.getMethod(call.name(), shape.parameterArray())
                    : makesKotlin ? making(type, call, shape) : accessor(type, call);
            boolean fits = method != null
                    && method.getReturnType() == shape.returnType()
                    && Modifier.isStatic(method.getModifiers()) == isStatic;
            return fits ? new Called(method, receiver, call.arguments()) : null;
        } catch (ReflectiveOperationException | LinkageError | TypeNotPresentException e) {
            // not reported here: it is no value then, and the refusal says what the code does
            return null;
        }
    }

    private static boolean isPlatforms(String owner, FoundCall call, boolean isStatic) {
        if (NOT_VALUES.contains(call.name()) || call.descriptor().startsWith("()V")) {
            return false;
        }
        boolean takesObjects = Type.getArgumentTypes(call.descriptor()).length > 0
                && call.descriptor().matches("\\(.*Ljava/lang/(Object|CharSequence|Iterable);.*\\).*");
        return VALUES.contains(owner) && !takesObjects
                || owner.startsWith("java/time/") && !owner.contains("Clock") && !owner.contains("/format/")
                || COLLECTIONS.contains(owner) && isStatic;
    }

    /** The method that stands for the constructor of a value class of Kotlin. */
    private static @Nullable Method making(Class<?> type, FoundCall call, MethodType shape)
            throws NoSuchMethodException {
        Method method = type.getDeclaredMethod(call.name(), shape.parameterArray());
        return KotlinTypes.makesValueClass(method) ? method : null;
    }

    /** The accessor of a component of a record. */
    private static @Nullable Method accessor(Class<?> type, FoundCall call) {
        if (!type.isRecord()) {
            return null;
        }
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getName().equals(call.name())) {
                return component.getAccessor();
            }
        }
        return null;
    }

    @Override
    public @Nullable Object in(SerializedLambda lambda, @Nullable Object[] given) {
        Object on = receiver == null ? null : receiver.in(lambda, given);
        if (receiver != null && on == null) {
            throw new RefusedException(
                    "calls " + method.getName() + "() of null", "Check the value before enqueueing.");
        }
        try {
            return method.invoke(on, values(method.getParameterTypes(), arguments, lambda, given));
        } catch (InvocationTargetException e) {
            throw new RefusedException(
                    "computes an argument with " + method.getDeclaringClass().getSimpleName() + "." + method.getName()
                            + "(), which threw " + e.getCause(),
                    "Check the values before enqueueing.",
                    e.getCause());
        } catch (IllegalAccessException | IllegalArgumentException e) {
            throw new RefusedException("computes an argument with " + method + ", which failed with " + e, BEFORE, e);
        }
    }

    @Override
    public Value linked(ClassLoader loader) {
        if (!method.getDeclaringClass().getName().startsWith("java.")) {
            Fields.open(method, method.getDeclaringClass());
        }
        return new Called(
                method,
                receiver == null ? null : receiver.linked(loader),
                arguments.stream().map(value -> value.linked(loader)).toList());
    }

    /** Values as parameters of these types take them. */
    static @Nullable Object[] values(
            Class<?>[] parameters, List<Value> values, SerializedLambda lambda, @Nullable Object[] given) {
        @Nullable Object[] all = new @Nullable Object[parameters.length];
        for (int i = 0; i < all.length; i++) {
            Object value = values.get(i).in(lambda, given);
            all[i] = parameters[i].isPrimitive() ? Primitives.convert(value, parameters[i]) : value;
        }
        return all;
    }
}
