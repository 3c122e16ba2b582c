package dev.treadle.capture;

import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a lambda creates for an argument. Filled while its code is read; immutable once it is linked. */
sealed interface Made extends Value {

    /** An array, mostly one of variable arguments. */
    final class NewArray implements Made {
        /** Most elements of an array that a lambda creates. */
        static final int ELEMENTS_MAX = 1_000;

        private final Class<?> component;
        private final @Nullable Value[] elements;

        /** @param length 0 to {@link #ELEMENTS_MAX} */
        NewArray(Class<?> component, int length) {
            this(component, new @Nullable Value[length]);
        }

        private NewArray(Class<?> component, @Nullable Value[] elements) {
            this.component = component;
            this.elements = elements;
        }

        /** @return true, always */
        boolean put(int index, Value element) {
            elements[index] = element;
            return true;
        }

        boolean has(int index) {
            return index >= 0 && index < elements.length;
        }

        @Override
        public Object in(SerializedLambda lambda, @Nullable Object[] given) {
            Object array = Array.newInstance(component, elements.length);
            for (int i = 0; i < elements.length; i++) {
                Value element = elements[i];
                if (element != null) {
                    Object value = element.in(lambda, given);
                    Array.set(array, i, component.isPrimitive() ? Primitives.convert(value, component) : value);
                }
            }
            return array;
        }

        @Override
        public Value linked(ClassLoader loader) {
            return new NewArray(
                    component,
                    Arrays.stream(elements)
                            .map(element -> element == null ? null : element.linked(loader))
                            .toArray(Value[]::new));
        }
    }

    /** A record. */
    final class NewRecord implements Made {
        private final Class<?> type;
        private @Nullable Constructor<?> constructor;
        private List<Value> arguments = List.of();

        NewRecord(Class<?> type) {
            this.type = type;
        }

        /** The code calls the constructor that has these parameters. */
        void construct(Class<?>[] parameters, List<Value> arguments) {
            try {
                this.constructor = type.getDeclaredConstructor(parameters);
            } catch (NoSuchMethodException e) {
                throw new RefusedException(
                        "creates a " + type.getName() + " with a constructor that it does not have",
                        "Compile all classes again; they come from different builds.",
                        e);
            }
            this.arguments = arguments;
        }

        @Override
        public Object in(SerializedLambda lambda, @Nullable Object[] given) {
            Constructor<?> make = Objects.requireNonNull(constructor);
            try {
                return make.newInstance(Called.values(make.getParameterTypes(), arguments, lambda, given));
            } catch (InvocationTargetException e) {
                throw new RefusedException(
                        "creates a " + type.getName() + ", whose constructor threw " + e.getCause(),
                        "Check the values before enqueueing.",
                        e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new RefusedException(
                        "creates a " + type.getName() + ", which failed with " + e, Called.BEFORE, e);
            }
        }

        @Override
        public Value linked(ClassLoader loader) {
            NewRecord linked = new NewRecord(type);
            linked.constructor = Objects.requireNonNull(constructor);
            Fields.open(linked.constructor, type);
            linked.arguments =
                    arguments.stream().map(value -> value.linked(loader)).toList();
            return linked;
        }
    }
}
