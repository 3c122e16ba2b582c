package dev.treadle.payload;

import dev.treadle.job.JobContext;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tries to write and read arguments without the binding. Returns null if it cannot, and also after an error: the
 * binding then does the whole work again, so that error messages come from one place. Thread-safe.
 */
final class PlainJson {
    /** How many types are cached; the cache is emptied when it is full. */
    private static final int CODECS_MAX = 2_000;

    private final Map<Type, Optional<PlainCodec>> codecs = new ConcurrentHashMap<>();

    /** Writes the values as an array; null if the binding has to do it. */
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

    /** Reads what {@link #write} wrote; null if the binding has to do it. */
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

    /** Writes one request as an object; null if the binding has to do it. */
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

    /** Reads the request that {@link #writeRequest} wrote; null if the binding has to do it. */
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

    /** Whether values of that type are usually written here. */
    boolean isPlain(Class<?> type) {
        return codec(type) != null;
    }

    private static PlainReader reader(String text) {
        // the binding reports what is wrong with a larger one
        PlainReader.demand(text.length() <= JsonArguments.ARGUMENT_BYTES_CEILING);
        return new PlainReader(text);
    }

    /** A codec for each type, null for a context. No codecs at all if one type is not plain. */
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
