package dev.treadle.payload;

import dev.treadle.job.JobContext;
import java.io.StringWriter;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Arguments to JSON text and back, bound to declared types and never to a type the text names. A field that the text
 * lacks becomes null or zero, and one that the type lacks is ignored, so nodes of two releases can share jobs.
 * Thread-safe.
 */
public final class JsonArguments {
    /** Largest text of one job's arguments by default, in bytes of UTF-8. */
    public static final int ARGUMENT_BYTES_MAX = 65_536;

    /** What {@link #ARGUMENT_BYTES_MAX} may be raised to, and the largest text ever read. */
    static final int ARGUMENT_BYTES_CEILING = 16_777_216;
    /** Types remembered; a program that calls jobs with more than this starts to remember anew. */
    private static final int CODECS_MAX = 2_000;

    private final int bytesMax;
    private final PlainJson plain = new PlainJson();
    private final Map<Type, Codec> codecs = new ConcurrentHashMap<>();

    /** With the default limit. */
    public JsonArguments() {
        this(ARGUMENT_BYTES_MAX);
    }

    /**
     * @param bytesMax largest text written for one job, in bytes of UTF-8
     * @throws IllegalArgumentException if that is not from 2 to 16,777,216
     */
    public JsonArguments(int bytesMax) {
        if (bytesMax < 2 || bytesMax > ARGUMENT_BYTES_CEILING) {
            throw new IllegalArgumentException("The largest arguments of a job may be from 2 to "
                    + ARGUMENT_BYTES_CEILING + " bytes, not " + bytesMax + ".");
        }
        this.bytesMax = bytesMax;
    }

    /**
     * A JSON array of the values, each written as its declared type. A {@link JobContext} is written as null.
     *
     * @throws UnwritableArgumentsException if a value cannot be written, cannot be read again, or all are too large
     */
    public String write(Type[] types, @Nullable Object[] values) {
        String written = plain.write(types, values);
        if (written != null) {
            return bounded(written);
        }
        StringWriter text = new StringWriter(256);
        try (JsonGenerator out = Mapper.shared().createGenerator(text)) {
            out.writeStartArray();
            for (int i = 0; i < types.length; i++) {
                writeOne(out, types[i], values[i], i);
            }
            out.writeEndArray();
        }
        return bounded(text.toString());
    }

    /**
     * The values that {@link #write} wrote, as the types given. A {@link JobContext} is read as null.
     *
     * @throws UnreadableArgumentsException if the text does not hold values of these types
     */
    public @Nullable Object[] read(String text, Type[] types) {
        @Nullable Object @Nullable [] read = plain.read(text, types);
        if (read != null) {
            return read;
        }
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
            throw at < 0 ? unreadable("The arguments", "", e) : unreadable(named(types[at], at), lacking(types[at]), e);
        }
        return values;
    }

    /**
     * One request as JSON, written as its own class.
     *
     * @throws UnwritableArgumentsException if it cannot be written, cannot be read again, or is too large
     */
    public String writeRequest(Object request) {
        String written = plain.writeRequest(request);
        if (written != null) {
            return bounded(written);
        }
        StringWriter text = new StringWriter(256);
        try (JsonGenerator out = Mapper.shared().createGenerator(text)) {
            codec(request.getClass()).write(out, request);
        } catch (RuntimeException e) {
            Class<?> type = request.getClass();
            throw unwritable("The request (" + type.getName() + ")", lacking(type), e);
        }
        return bounded(text.toString());
    }

    /**
     * The request that {@link #writeRequest} wrote.
     *
     * @throws UnreadableArgumentsException if the text does not hold one
     */
    public <T> T readRequest(String text, Class<T> type) {
        Object read = plain.readRequest(text, type);
        if (read != null) {
            return type.cast(read);
        }
        try (JsonParser in = Mapper.shared().createParser(text)) {
            expect(in.nextToken() != null, "the text is empty");
            T request = type.cast(codec(type).read(in));
            expect(request != null, "the text is null");
            expect(in.nextToken() == null, "something follows it");
            return request;
        } catch (RuntimeException e) {
            throw unreadable("The request (" + type.getName() + ")", lacking(type), e);
        }
    }

    private void writeOne(JsonGenerator out, Type type, @Nullable Object value, int index) {
        try {
            if (isContext(type)) {
                out.writeNull();
            } else {
                codec(type).write(out, value);
            }
        } catch (RuntimeException e) {
            throw unwritable(named(type, index), lacking(type), e);
        }
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

    private String bounded(String text) {
        String storable = Utf8.withoutLoneSurrogates(text);
        int bytes = Utf8.length(storable);
        if (bytes > bytesMax) {
            throw new UnwritableArgumentsException(
                    "The arguments take " + bytes + " bytes as JSON, and a job may have " + bytesMax
                            + ". Store the data yourself and give the job its id.",
                    null);
        }
        return storable;
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

    private static String named(Type type, int index) {
        return "Argument " + (index + 1) + " (" + DeclaredTypes.name(type) + ")";
    }

    private static String lacking(Type type) {
        return Openness.remedy(type).orElse("");
    }

    private static UnwritableArgumentsException unwritable(String what, String lacking, RuntimeException e) {
        String instead = lacking.isEmpty()
                ? " Give an id, or a record of plain data: numbers, text, java.time, enums, lists, maps, records."
                : lacking;
        return new UnwritableArgumentsException(what + " cannot be stored as JSON: " + Reason.of(e) + "." + instead, e);
    }

    private static UnreadableArgumentsException unreadable(String what, String lacking, RuntimeException e) {
        String instead = lacking.isEmpty()
                ? " Deploy the types that it was written with, or cancel the job and enqueue it anew."
                : lacking;
        return new UnreadableArgumentsException(what + " cannot be read: " + Reason.of(e) + "." + instead, e);
    }
}
