package dev.treadle.payload;

import dev.treadle.job.JobContext;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tries to write and read arguments without the binding. Answers null wherever it cannot, or anything is unusual, also an
 * error: the binding then does the whole again, so that there is one place which judges and explains. Thread-safe.
 */
final class PlainJson {
    /** Types remembered; a program that calls jobs with more than this starts to remember anew. */
    private static final int CODECS_MAX = 2_000;

    private final Map<Type, Optional<PlainCodec>> codecs = new ConcurrentHashMap<>();

    /** An array of the values; null if it is to be done by the binding. */
    @Nullable
    String write(Type[] types, @Nullable Object[] values) {
        @Nullable PlainCodec[] plain = codecs(types);
        if (plain == null) {
            return null;
        }
        PlainWriter out = new PlainWriter();
        try {
            out.begin('[');
            for (int i = 0; i < types.length; i++) {
                PlainCodec codec = plain[i];
                if (codec == null) {
                    out.literal(null);
                } else {
                    codec.write(out, values[i]);
                }
            }
            out.end(']');
        } catch (RuntimeException e) {
            return null;
        }
        return out.toString();
    }

    /** What {@link #write} wrote; null if it is to be done by the binding. */
    @Nullable
    Object @Nullable [] read(String text, Type[] types) {
        @Nullable PlainCodec[] plain = codecs(types);
        if (plain == null) {
            return null;
        }
        @Nullable Object[] values = new @Nullable Object[types.length];
        try {
            PlainReader in = reader(text);
            in.expect('[');
            for (int i = 0; i < types.length; i++) {
                if (i > 0) {
                    in.expect(',');
                }
                PlainCodec codec = plain[i];
                if (codec == null) {
                    PlainReader.demand(in.skip("null"));
                } else {
                    values[i] = codec.read(in);
                }
            }
            in.expect(']');
            in.expectEnd();
            return values;
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** One request as an object; null if it is to be done by the binding. */
    @Nullable
    String writeRequest(Object request) {
        PlainCodec codec = codec(request.getClass());
        if (codec == null) {
            return null;
        }
        PlainWriter out = new PlainWriter();
        try {
            codec.write(out, request);
        } catch (RuntimeException e) {
            return null;
        }
        return out.toString();
    }

    /** The request that {@link #writeRequest} wrote; null if it is to be done by the binding. */
    @Nullable
    Object readRequest(String text, Class<?> type) {
        PlainCodec codec = codec(type);
        if (codec == null) {
            return null;
        }
        try {
            PlainReader in = reader(text);
            Object request = codec.read(in);
            in.expectEnd();
            return request;
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** Whether values of that type are written here, as a rule. */
    boolean isPlain(Class<?> type) {
        return codec(type) != null;
    }

    private static PlainReader reader(String text) {
        // the binding says what is wrong with a larger one
        PlainReader.demand(text.length() <= JsonArguments.ARGUMENT_BYTES_CEILING);
        return new PlainReader(text);
    }

    /** One for each type, null for a context; none at all if one is not plain. */
    private @Nullable PlainCodec @Nullable [] codecs(Type[] types) {
        @Nullable PlainCodec[] all = new @Nullable PlainCodec[types.length];
        for (int i = 0; i < types.length; i++) {
            if (types[i] != JobContext.class) {
                all[i] = codec(types[i]);
                if (all[i] == null) {
                    return null;
                }
            }
        }
        return all;
    }

    private @Nullable PlainCodec codec(Type type) {
        Optional<PlainCodec> known = codecs.get(type);
        if (known == null) {
            if (codecs.size() >= CODECS_MAX) {
                codecs.clear();
            }
            known = codecs.computeIfAbsent(type, t -> Optional.ofNullable(PlainCodec.of(t)));
        }
        return known.orElse(null);
    }
}
