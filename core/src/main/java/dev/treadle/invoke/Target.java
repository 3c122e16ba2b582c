package dev.treadle.invoke;

import dev.treadle.job.JobContext;
import dev.treadle.payload.DeclaredTypes;
import dev.treadle.payload.MethodName;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A method that the rules allow and this node has. Immutable. */
final class Target {
    private final Class<?> type;
    private final Method method;
    private final Type[] parameters;
    private final int[] contexts;

    Target(Class<?> type, Method method) {
        this.type = type;
        this.method = method;
        this.parameters = DeclaredTypes.of(type, method);
        this.contexts = IntStream.range(0, parameters.length)
                .filter(i -> method.getParameterTypes()[i] == JobContext.class)
                .toArray();
    }

    Class<?> type() {
        return type;
    }

    Type[] parameters() {
        return parameters;
    }

    Type returned() {
        return DeclaredTypes.returned(type, method);
    }

    boolean needsReceiver() {
        return !Modifier.isStatic(method.getModifiers()) || MethodName.takesReceiver(method);
    }

    Call call(@Nullable Object receiver, @Nullable Object[] arguments) {
        return context -> {
            for (int i : contexts) {
                arguments[i] = context;
            }
            if (MethodName.takesReceiver(method)) {
                arguments[0] = receiver;
            }
            try {
                return method.invoke(receiver, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
    }
}
