package dev.treadle.job;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;

/**
 * The type of a step's result, where a lambda does not say all of it: {@code new StepType<List<Page>>() {}}.
 *
 * @param <R> the type
 */
public abstract class StepType<R> {
    private final Type type;

    /**
     * The type that the subclass names.
     *
     * @throws IllegalArgumentException if it names none, as in {@code new StepType<T>() {}}
     */
    protected StepType() {
        Type named = getClass().getGenericSuperclass();
        if (!(named instanceof ParameterizedType bound) || bound.getRawType() != StepType.class) {
            throw new IllegalArgumentException(
                    "A step type names its type where it is made: new StepType<List<Page>>() {}.");
        }
        this.type = bound.getActualTypeArguments()[0];
        if (isOpen(type)) {
            throw new IllegalArgumentException("The step type " + type.getTypeName() + " has a type variable, which"
                    + " stands for nothing once the program runs. Name the type: new StepType<List<Page>>() {}.");
        }
    }

    private static boolean isOpen(Type type) {
        if (type instanceof ParameterizedType many) {
            return Arrays.stream(many.getActualTypeArguments()).anyMatch(StepType::isOpen);
        }
        if (type instanceof GenericArrayType array) {
            return isOpen(array.getGenericComponentType());
        }
        if (type instanceof WildcardType any) {
            return Arrays.stream(any.getUpperBounds()).anyMatch(StepType::isOpen);
        }
        return type instanceof TypeVariable<?>;
    }

    /** The type. */
    public final Type type() {
        return type;
    }
}
