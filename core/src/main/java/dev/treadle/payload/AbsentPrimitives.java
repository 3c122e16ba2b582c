package dev.treadle.payload;

import java.lang.reflect.Array;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.std.DelegatingDeserializer;

/**
 * Reads a primitive that a text does not have as zero or false, so that a release may add one to a record. Before Jackson
 * 3.2, which Spring Boot 4.1 does not have, databind takes it for a null, which is refused.
 */
final class AbsentPrimitives extends ValueDeserializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public ValueDeserializer<?> modifyDeserializer(
            DeserializationConfig config, BeanDescription.Supplier description, ValueDeserializer<?> deserializer) {
        Class<?> type = description.getBeanClass();
        return type.isPrimitive() ? new Reader(deserializer, type) : deserializer;
    }

    private static final class Reader extends DelegatingDeserializer {
        private final Class<?> primitive;

        Reader(ValueDeserializer<?> deserializer, Class<?> primitive) {
            super(deserializer);
            this.primitive = primitive;
        }

        @Override
        protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> deserializer) {
            return new Reader(deserializer, primitive);
        }

        @Override
        public Object getAbsentValue(DeserializationContext context) {
            return Array.get(Array.newInstance(primitive, 1), 0);
        }
    }
}
