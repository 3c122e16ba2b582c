package dev.treadle.capture;

import dev.treadle.job.Invocation;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.UnwritableArgumentsException;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How every capture of one lambda expression becomes an invocation; only the values differ. Immutable. */
final class Recipe {
    private final String type;
    private final String methodText;
    private final Class<?>[] parameters;
    private final Type[] declared;
    private final Value[] arguments;
    private final StackTraceElement place;

    Recipe(Class<?> type, String methodText, Method method, List<Value> arguments, StackTraceElement place) {
        this.type = type.getName();
        this.methodText = methodText;
        this.parameters = method.getParameterTypes();
        this.declared = method.getGenericParameterTypes();
        this.arguments = arguments.toArray(Value[]::new);
        this.place = place;
    }

    Invocation invocation(SerializedLambda lambda, @Nullable Object[] given, JsonArguments json) {
        try {
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
