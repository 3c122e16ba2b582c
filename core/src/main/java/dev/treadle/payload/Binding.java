package dev.treadle.payload;

import dev.treadle.job.JobContext;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Converts values that are not {@linkplain PlainJson plain} with Jackson, which does not report what it leaves out. So
 * each text is read back before it is stored, and the result is compared with the original value. No type is exempt,
 * whatever its earlier values were. Thread-safe.
 */
final class Binding {
    /** How many types are cached; the cache is emptied when it is full. */
    private static final int CODECS_MAX = 2_000;

    private final Map<Type, Codec> codecs = new ConcurrentHashMap<>();
    private final ClassValue<Shape> shapes = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return Shape.of(type, Mapper.shared());
        }
    };

    /** Writes the values as a JSON array, each as its type. */
    String writeAll(Type[] types, @Nullable Object[] values) {
        StringWriter text = new StringWriter(256);
        int at = 0;
        try (JsonGenerator out = Mapper.shared().createGenerator(text)) {
            out.writeStartArray();
            for (; at < types.length; at++) {
                if (isContext(types[at])) {
                    out.writeNull();
                } else {
                    codec(types[at]).write(out, values[at]);
                }
            }
            out.writeEndArray();
        } catch (RuntimeException e) {
            throw new AtArgumentException(at, e);
        }
        return text.toString();
    }

    /** Reads the values of a JSON array; null for a context. */
    @Nullable
    Object[] readAll(String text, Type[] types) {
        @Nullable Object[] values = new @Nullable Object[types.length];
        int at = -1;
        try (JsonParser in = Mapper.shared().createParser(text)) {
            expect(in.nextToken() == JsonToken.START_ARRAY, "they are not a JSON array");
            for (int i = 0; i < types.length; i++) {
                at = i;
                expect(in.nextToken() != JsonToken.END_ARRAY, "there are only " + i + " of " + types.length);
                values[i] = isContext(types[i]) ? skipped(in) : codec(types[i]).read(in);
            }
            at = -1;
            expect(in.nextToken() == JsonToken.END_ARRAY, "there are more than " + types.length);
            expect(in.nextToken() == null, "something follows them");
        } catch (RuntimeException e) {
            throw new AtArgumentException(at, e);
        }
        return values;
    }

    /** Finds out whether that text is kept as what it was made of. */
    void proveAll(String text, Type[] types, @Nullable Object[] values) {
        @Nullable Object[] back = readAll(text, types);
        for (int i = 0; i < types.length; i++) {
            if (!isContext(types[i])) {
                Difference found = between(values[i], back[i]);
                if (found != null) {
                    throw new AtArgumentException(i, new NotTheSameException(found));
                }
            }
        }
    }

    /** Writes one value as its type. */
    String write(Type type, Object value) {
        StringWriter text = new StringWriter(256);
        write(text, type, value);
        return text.toString();
    }

    /** The same, to where it goes. */
    void write(Writer text, Type type, Object value) {
        try (JsonGenerator out = Mapper.shared().createGenerator(text)) {
            codec(type).write(out, value);
        }
    }

    /** Reads the one value in a text. */
    @Nullable
    Object read(String text, Type type) {
        try (JsonParser in = Mapper.shared().createParser(text)) {
            expect(in.nextToken() != null, "the text is empty");
            Object value = codec(type).read(in);
            expect(in.nextToken() == null, "something follows it");
            return value;
        }
    }

    /** Finds out whether that text is kept as what it was made of. */
    void prove(String text, Type type, Object value) {
        Difference found = between(value, read(text, type));
        if (found != null) {
            throw new NotTheSameException(found);
        }
    }

    private @Nullable Difference between(@Nullable Object given, @Nullable Object back) {
        return new Sameness(shapes::get).between(given, back);
    }

    private Codec codec(Type type) {
        Codec known = codecs.get(type);
        if (known != null) {
            return known;
        }
        if (codecs.size() >= CODECS_MAX) {
            codecs.clear();
        }
        return codecs.computeIfAbsent(type, t -> new Codec(Mapper.shared(), t));
    }

    private static boolean isContext(Type type) {
        return type == JobContext.class;
    }

    private static @Nullable Object skipped(JsonParser in) {
        in.skipChildren();
        return null;
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Names the argument that the cause is about; -1 stands for all. */
    static final class AtArgumentException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int index;
        private final RuntimeException cause;

        AtArgumentException(int index, RuntimeException cause) {
            super(cause);
            this.index = index;
            this.cause = cause;
        }

        RuntimeException why() {
            return cause;
        }

        int index() {
            return index;
        }
    }
}
