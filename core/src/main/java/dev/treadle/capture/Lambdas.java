package dev.treadle.capture;

import dev.treadle.job.NotCapturableException;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.SerializedLambda;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/** Finds the one call that a lambda or a method reference makes, and its place in the source. */
final class Lambdas {
    private static final String BODY_PREFIX = "lambda$";

    private Lambdas() {}

    /**
     * @param call  the call
     * @param place its place in the source
     */
    record Found(FoundCall call, StackTraceElement place) {}

    /**
     * @param targeted whether the first parameter stands for the object to call
     * @throws NotCapturableException if it is not one call with values
     */
    static Found find(SerializedLambda lambda, Class<?> writtenIn, boolean targeted) {
        Found inBody =
                lambda.getImplClass().equals(lambda.getCapturingClass()) ? inBody(lambda, writtenIn, targeted) : null;
        return inBody == null ? ofReference(lambda, writtenIn, targeted) : inBody;
    }

    static StackTraceElement place(SerializedLambda lambda, String method, @Nullable String source, int line) {
        String type = className(lambda.getCapturingClass());
        // -1 stands for a missing line number in a stack trace
        return new StackTraceElement(type, enclosing(method), source, line == 0 ? -1 : line);
    }

    static String className(String internalName) {
        return internalName.replace('/', '.');
    }

    /** Null if the lambda refers to a method that a programmer wrote. */
    private static @Nullable Found inBody(SerializedLambda lambda, Class<?> writtenIn, boolean targeted) {
        List<Type> types = new ArrayList<>();
        if (lambda.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic) {
            types.add(Type.getObjectType(lambda.getImplClass()));
        }
        Collections.addAll(types, Type.getArgumentTypes(lambda.getImplMethodSignature()));
        Value[] values =
                values(types.size(), lambda.getCapturedArgCount(), targeted).toArray(Value[]::new);
        BodyFinder body = new BodyFinder(
                lambda.getImplMethodName(),
                lambda.getImplMethodSignature(),
                () -> new LambdaReader(values, types.toArray(Type[]::new), Loaders.ofType(writtenIn)));
        try {
            ClassFile.read(writtenIn, body);
            if (!body.isFound() && !lambda.getImplMethodName().startsWith(BODY_PREFIX)) {
                return null;
            }
            FoundCall call = body.call();
            return new Found(call, place(lambda, lambda.getImplMethodName(), body.source(), body.line()));
        } catch (RefusedException e) {
            throw e.at(place(lambda, lambda.getImplMethodName(), body.source(), body.line()));
        }
    }

    private static Found ofReference(SerializedLambda lambda, Class<?> writtenIn, boolean targeted) {
        ReferenceFinder finder = new ReferenceFinder(lambda);
        ClassFile.read(writtenIn, finder);
        StackTraceElement found = finder.place();
        StackTraceElement place = found == null ? place(lambda, lambda.getImplMethodName(), null, 0) : found;
        if (lambda.getImplMethodKind() == MethodHandleInfo.REF_newInvokeSpecial) {
            throw new RefusedException(
                            "creates a new " + className(lambda.getImplClass()),
                            "A job calls a method: jobs.enqueue(() -> slips.generate(42L)).")
                    .at(place);
        }
        boolean isStatic = lambda.getImplMethodKind() == MethodHandleInfo.REF_invokeStatic;
        int count = Type.getArgumentCount(lambda.getImplMethodSignature()) + (isStatic ? 0 : 1);
        List<Value> values = values(count, lambda.getCapturedArgCount(), targeted);
        FoundCall call = new FoundCall(
                isStatic ? className(lambda.getImplClass()) : receiverType(lambda, finder),
                lambda.getImplMethodName(),
                lambda.getImplMethodSignature(),
                isStatic ? null : values.get(0),
                isStatic ? values : values.subList(1, values.size()));
        return new Found(call, place);
    }

    private static String receiverType(SerializedLambda lambda, ReferenceFinder finder) {
        return lambda.getCapturedArgCount() == 0
                ? Type.getArgumentTypes(lambda.getInstantiatedMethodType())[0].getClassName()
                : finder.receiver(className(lambda.getImplClass()));
    }

    /** The captured values, followed by the lambda's own parameters. */
    private static List<Value> values(int count, int captured, boolean targeted) {
        return IntStream.range(0, count)
                .mapToObj(i -> value(i, captured, targeted))
                .toList();
    }

    private static Value value(int index, int captured, boolean targeted) {
        if (index < captured) {
            return new Value.Captured(index);
        }
        int parameter = index - captured - (targeted ? 1 : 0);
        return parameter < 0 ? new Value.Service() : new Value.Given(parameter);
    }

    /**
     * The method that contains a lambda, taken from the name that javac or kotlinc gives its body; only for messages.
     */
    private static String enclosing(String method) {
        int inKotlin = method.indexOf("$" + BODY_PREFIX);
        if (inKotlin > 0) {
            return method.substring(0, inKotlin);
        }
        int end = method.indexOf('$', BODY_PREFIX.length());
        if (!method.startsWith(BODY_PREFIX) || end < 0) {
            return method;
        }
        String name = method.substring(BODY_PREFIX.length(), end);
        return switch (name) {
            case "new" -> "<init>";
            case "static" -> "<clinit>";
            default -> name;
        };
    }
}
