package dev.treadle.payload;

import java.io.Serializable;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** How values of one declared type become text and come back, and whether coming back was ever tried. */
final class Codec {
    private static final Set<Type> OPEN_TYPES =
            Set.of(Object.class, Serializable.class, Number.class, Comparable.class, CharSequence.class);

    private final ObjectWriter writer;
    private final ObjectReader reader;
    /** Whether the type leaves it to the value what it is, so that one value proves nothing about the next. */
    private final boolean open;

    private volatile boolean proven;

    Codec(JsonMapper mapper, Type type) {
        JavaType bound = mapper.constructType(type);
        this.writer = mapper.writerFor(bound);
        this.reader = mapper.readerFor(bound);
        this.open = isOpen(type);
    }

    void write(JsonGenerator out, @Nullable Object value) {
        if (value == null) {
            out.writeNull();
            return;
        }
        if (!proven) {
            prove(value);
        }
        writer.writeValue(out, value);
    }

    @Nullable
    Object read(JsonParser in) {
        return reader.readValue(in);
    }

    /** Reads back what was written, so that a type which only goes one way is found by whoever enqueues. */
    private void prove(Object value) {
        String text = writer.writeValueAsString(value);
        Object back = reader.readValue(text);
        // why the length: a type without equals is compared by its text, in which a set may have changed its order
        boolean same = Objects.deepEquals(value, back)
                || !open && writer.writeValueAsString(back).length() == text.length();
        if (!same) {
            throw new NotTheSameException("it is a " + value.getClass().getName() + ", but reads back as "
                    + (back == null ? "null" : "a different " + back.getClass().getName()));
        }
        proven = !open;
    }

    private static boolean isOpen(Type type) {
        if (type instanceof Class<?> c) {
            return c.isArray()
                    ? isOpen(c.getComponentType())
                    : OPEN_TYPES.contains(c) || c.getTypeParameters().length > 0;
        }
        if (type instanceof ParameterizedType p) {
            return Stream.of(p.getActualTypeArguments()).anyMatch(Codec::isOpen);
        }
        if (type instanceof JavaType bound) {
            return OPEN_TYPES.contains(bound.getRawClass())
                    || bound.getBindings().getTypeParameters().stream().anyMatch(Codec::isOpen);
        }
        return !(type instanceof GenericArrayType a) || isOpen(a.getGenericComponentType());
    }

    /** What was read back is not what was written. */
    static final class NotTheSameException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotTheSameException(String message) {
            super(message);
        }
    }
}
