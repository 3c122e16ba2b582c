package dev.treadle.capture;

import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** The source of a value in a lambda's body, independent of a single capture. */
interface Value {
    /** The value in this capture. */
    @Nullable
    Object in(SerializedLambda lambda, @Nullable Object[] given);

    /** Prepares the evaluation: looks up fields and makes them readable. Never called on receivers. */
    default Value linked(ClassLoader loader) {
        return this;
    }

    /** Captured by the lambda; the first one of an instance lambda is {@code this}. */
    record Captured(int index) implements Value {
        @Override
        public @Nullable Object in(SerializedLambda lambda, @Nullable Object[] given) {
            return lambda.getCapturedArg(index);
        }
    }

    /** A parameter of the lambda, whose value the caller passes separately. */
    record Given(int index) implements Value {
        @Override
        public @Nullable Object in(SerializedLambda lambda, @Nullable Object[] given) {
            return given[index];
        }
    }

    /** The parameter that stands for the object the activator will supply. */
    record Service() implements Value {
        @Override
        public Object in(SerializedLambda lambda, @Nullable Object[] given) {
            throw unstorable();
        }

        @Override
        public Value linked(ClassLoader loader) {
            throw unstorable();
        }

        private static RefusedException unstorable() {
            return new RefusedException(
                    "gives the service itself as an argument",
                    "A service is supplied when the job runs and is never stored, so only call a method on it:"
                            + " service -> service.generate(42L).");
        }
    }

    /** A constant in the code. */
    record Constant(@Nullable Object value) implements Value {
        @Override
        public @Nullable Object in(SerializedLambda lambda, @Nullable Object[] given) {
            return value;
        }
    }

    /** Another value, converted to a primitive type. */
    record Converted(Value from, Class<?> to) implements Value {
        @Override
        public Object in(SerializedLambda lambda, @Nullable Object[] given) {
            return Primitives.convert(from.in(lambda, given), to);
        }

        @Override
        public Value linked(ClassLoader loader) {
            return new Converted(from.linked(loader), to);
        }
    }

    /** A field as the code names it; without an owner it is static. */
    record NamedField(@Nullable Value owner, String type, String name) implements Value {
        @Override
        public Object in(SerializedLambda lambda, @Nullable Object[] given) {
            throw new AssertionError("The field " + name + " of " + type + " has not been looked up.");
        }

        @Override
        public Value linked(ClassLoader loader) {
            return new ReadField(owner == null ? null : owner.linked(loader), Fields.readable(type, name, loader));
        }
    }

    /** A field that was looked up. */
    record ReadField(@Nullable Value owner, Field field) implements Value {
        @Override
        public @Nullable Object in(SerializedLambda lambda, @Nullable Object[] given) {
            return Fields.read(field, owner == null ? null : owner.in(lambda, given), owner == null);
        }
    }
}
