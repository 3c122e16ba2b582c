package dev.treadle.payload;

import dev.treadle.job.JobContext;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Writes arguments as JSON and reads them back as their declared types, never as a type that the text names. A field
 * that the text lacks becomes null or zero, and a field that the type lacks is ignored, so nodes of two releases can
 * share jobs. Thread-safe.
 */
public final class JsonArguments {
    /** Largest text of one job's arguments by default, in bytes of UTF-8. */
    public static final int ARGUMENT_BYTES_MAX = 65_536;

    /** The greatest value for {@link #ARGUMENT_BYTES_MAX}, and the largest text that is read. */
    static final int ARGUMENT_BYTES_CEILING = 16_777_216;

    private static final String GIVE_DATA =
            " Give an id, or a record of plain data: numbers, text, java.time, enums, lists, maps, records.";
    private static final String DEPLOY =
            " Deploy the types that it was written with, or cancel the job and enqueue it anew.";

    private final int bytesMax;
    private final PlainJson plain = new PlainJson();
    private final Binding binding = new Binding();

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
     * Writes the values as a JSON array, each as its declared type. A {@link JobContext} is written as null.
     *
     * @throws UnwritableArgumentsException if a value cannot be written, cannot be read again, or all are too large
     */
    public String write(Type[] types, @Nullable Object[] values) {
        String written = plain.write(types, values);
        if (written != null) {
            return bounded(written);
        }
        try {
            String text = bounded(binding.writeAll(types, values));
            binding.proveAll(text, types, values);
            return text;
        } catch (Binding.AtArgumentException e) {
            throw unwritable(what(e, types), lacking(e, types), e.why());
        }
    }

    /**
     * Reads the values that {@link #write} wrote, as the given types. A {@link JobContext} is read as null.
     *
     * @throws UnreadableArgumentsException if the text does not hold values of these types
     */
    public @Nullable Object[] read(String text, Type[] types) {
        @Nullable Object @Nullable [] read = plain.read(text, types);
        if (read != null) {
            return read;
        }
        try {
            return binding.readAll(text, types);
        } catch (Binding.AtArgumentException e) {
            throw unreadable(what(e, types), lacking(e, types), e.why());
        }
    }

    /**
     * Writes one request as its own class.
     *
     * @throws UnwritableArgumentsException if it cannot be written, cannot be read again, or is too large
     */
    public String writeRequest(Object request) {
        String written = plain.writeRequest(request);
        if (written != null) {
            return bounded(written);
        }
        Class<?> type = request.getClass();
        try {
            String text = bounded(binding.write(type, request));
            binding.prove(text, type, request);
            return text;
        } catch (UnwritableArgumentsException e) {
            throw e;
        } catch (RuntimeException e) {
            throw unwritable("The request (" + type.getName() + ")", lacking(type), e);
        }
    }

    /**
     * Reads the request that {@link #writeRequest} wrote.
     *
     * @throws UnreadableArgumentsException if the text does not hold one
     */
    public <T> T readRequest(String text, Class<T> type) {
        Object read = plain.readRequest(text, type);
        if (read != null) {
            return type.cast(read);
        }
        try {
            T request = type.cast(binding.read(text, type));
            if (request == null) {
                throw new IllegalArgumentException("the text is null");
            }
            return request;
        } catch (RuntimeException e) {
            throw unreadable("The request (" + type.getName() + ")", lacking(type), e);
        }
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

    /**
     * Checks at the start of a server whether requests of a type can be written and read here. Plain ones always can;
     * others need a binding whose parts fit together.
     *
     * @throws UnusableBindingException if they do not; the message says which versions do
     */
    public void check(Class<?> request) {
        if (!plain.isPlain(request)) {
            Mapper.shared();
        }
    }

    private static String what(Binding.AtArgumentException e, Type[] types) {
        return e.index() < 0
                ? "The arguments"
                : "Argument " + (e.index() + 1) + " (" + DeclaredTypes.name(types[e.index()]) + ")";
    }

    private static String lacking(Binding.AtArgumentException e, Type[] types) {
        return e.index() < 0 ? "" : lacking(types[e.index()]);
    }

    private static String lacking(Type type) {
        return Openness.remedy(type).orElse("");
    }

    private static UnwritableArgumentsException unwritable(String what, String lacking, RuntimeException e) {
        return new UnwritableArgumentsException(
                what + " cannot be stored as JSON: " + Reason.of(e) + "." + Reason.cure(e, lacking, GIVE_DATA), e);
    }

    private static UnreadableArgumentsException unreadable(String what, String lacking, RuntimeException e) {
        return new UnreadableArgumentsException(
                what + " cannot be read: " + Reason.of(e) + "." + Reason.cure(e, lacking, DEPLOY), e);
    }
}
