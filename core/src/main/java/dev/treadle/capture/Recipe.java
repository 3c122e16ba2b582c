package dev.treadle.capture;

import dev.treadle.job.Invocation;
import dev.treadle.payload.DeclaredTypes;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.UnwritableArgumentsException;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What all captures of one lambda expression have in common when they become invocations. Immutable. */
final class Recipe {
    private final String calledType;
    private final String type;
    private final String methodText;
    private final Class<?>[] parameters;
    private final Type[] declared;
    private final @Nullable ReceiverCheck check;
    private final Value[] arguments;
    private final int givenCount;
    private final StackTraceElement place;

    /**
     * @param type   the called type
     * @param stored what it and the method are stored as
     */
    Recipe(
            Class<?> type,
            Method method,
            Stored stored,
            @Nullable ReceiverCheck check,
            List<Value> arguments,
            int givenCount,
            StackTraceElement place) {
        this.calledType = type.getName();
        this.type = stored.type;
        this.methodText = stored.method;
        this.parameters = method.getParameterTypes();
        this.declared = DeclaredTypes.of(type, method);
        this.check = check;
        this.arguments = arguments.toArray(Value[]::new);
        this.givenCount = givenCount;
        this.place = place;
    }

    /** The binary name of the called type. */
    String calledType() {
        return calledType;
    }

    /** The names under which a call is stored. */
    record Stored(String type, String method) {}

    Invocation invocation(SerializedLambda lambda, @Nullable Object[] given, JsonArguments json) {
        if (given.length != givenCount) {
            throw new IllegalArgumentException("The lambda at " + place + " takes " + givenCount + " values and "
                    + given.length + " are given. Give one for each of its parameters but the service.");
        }
        try {
            if (check != null) {
                check.ask(lambda, given);
            }
            @Nullable Object[] values = new @Nullable Object[arguments.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = fitting(arguments[i].in(lambda, given), parameters[i], i);
            }
            return new Invocation(type, methodText, json.write(declared, values));
        } catch (RefusedException e) {
            throw e.at(place);
        } catch (UnwritableArgumentsException e) {
            throw new RefusedException("has arguments that cannot be stored", e.getMessage(), e).at(place);
        }
    }

    private static @Nullable Object fitting(@Nullable Object value, Class<?> parameter, int index) {
        if (parameter.isPrimitive()) {
            return Primitives.convert(value, parameter);
        }
        if (value != null && !parameter.isInstance(value)) {
            throw new RefusedException(
                    "gives a " + value.getClass().getName() + " as argument " + (index + 1) + ", which is declared as "
                            + parameter.getName(),
                    "Give a value of that type.");
        }
        return value;
    }
}
