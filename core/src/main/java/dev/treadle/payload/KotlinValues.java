package dev.treadle.payload;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.Deserializers;
import tools.jackson.databind.deser.KeyDeserializers;

/**
 * Reads value classes of Kotlin where they are objects: in lists, as keys, as results, and where they may be null. Immutable.
 *
 * @param of    the value class
 * @param value the type of its value
 * @param check what kotlinc calls for its constructor
 * @param box   what makes the object
 */
record KotlinValues(Class<?> of, JavaType value, Method check, Method box) {
    static @Nullable KotlinValues of(JavaType type, DeserializationConfig config) {
        Class<?> raw = type.getRawClass();
        if (!KotlinTypes.isValueClass(raw) || KotlinBinding.isAnnotated(raw)) {
            return null;
        }
        Field value = KotlinTypes.value(raw);
        Method check = KotlinTypes.checking(raw);
        Method box = KotlinTypes.boxing(raw);
        return value == null || check == null || box == null
                ? null
                : new KotlinValues(
                        raw,
                        config.getTypeFactory().resolveMemberType(value.getGenericType(), type.getBindings()),
                        check,
                        box);
    }

    private Object boxed(DeserializationContext context, @Nullable Object value) {
        try {
            return box.invoke(null, check.invoke(null, value));
        } catch (InvocationTargetException e) {
            return context.handleInstantiationProblem(of, value, e.getCause());
        } catch (IllegalAccessException | IllegalArgumentException e) {
            return context.handleInstantiationProblem(of, value, e);
        }
    }

    static final class Readers extends Deserializers.Base {
        @Override
        public @Nullable ValueDeserializer<?> findBeanDeserializer(
                JavaType type, DeserializationConfig config, BeanDescription.Supplier description) {
            KotlinValues values = KotlinValues.of(type, config);
            return values == null ? null : new Reader(values, null);
        }

        @Override
        public boolean hasDeserializerFor(DeserializationConfig config, Class<?> type) {
            return KotlinTypes.isValueClass(type);
        }
    }

    static final class KeyReaders implements KeyDeserializers {
        @Override
        public @Nullable KeyDeserializer findKeyDeserializer(
                JavaType type, DeserializationConfig config, BeanDescription.Supplier description) {
            KotlinValues values = KotlinValues.of(type, config);
            return values == null ? null : new KeyReader(values);
        }
    }

    private static final class Reader extends ValueDeserializer<Object> {
        private final KotlinValues values;
        private final @Nullable ValueDeserializer<Object> inner;

        Reader(KotlinValues values, @Nullable ValueDeserializer<Object> inner) {
            this.values = values;
            this.inner = inner;
        }

        @Override
        public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
            return new Reader(values, context.findContextualValueDeserializer(values.value, property));
        }

        @Override
        public Object deserialize(JsonParser in, DeserializationContext context) {
            if (inner == null) {
                throw new IllegalStateException("The reader of " + values.of + " was not prepared.");
            }
            return values.boxed(context, inner.deserialize(in, context));
        }
    }

    private static final class KeyReader extends KeyDeserializer {
        private final KotlinValues values;

        KeyReader(KotlinValues values) {
            this.values = values;
        }

        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            Object value = context.findKeyDeserializer(values.value, null).deserializeKey(key, context);
            return values.boxed(context, value);
        }
    }
}
