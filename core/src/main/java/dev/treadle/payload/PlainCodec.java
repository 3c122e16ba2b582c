package dev.treadle.payload;

import java.lang.reflect.Type;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Numbers, texts, enums, UUIDs and records of those, written and read one by one: what most jobs are given, and it spares a
 * start the six hundred classes of the binding. It writes what {@link Codec} writes, character by character, and
 * reads only what was written so; of everything else it says that by an exception, and the binding is asked.
 */
final class PlainCodec {
    private static final Map<Class<?>, Kind> SCALARS = Map.of(
            boolean.class, Kind.BOOLEAN,
            Boolean.class, Kind.BOOLEAN,
            int.class, Kind.INT,
            Integer.class, Kind.INT,
            long.class, Kind.LONG,
            Long.class, Kind.LONG,
            double.class, Kind.DOUBLE,
            Double.class, Kind.DOUBLE,
            String.class, Kind.TEXT,
            UUID.class, Kind.UUID);

    private enum Kind {
        BOOLEAN,
        INT,
        LONG,
        DOUBLE,
        TEXT,
        UUID,
        ENUM,
        RECORD
    }

    private final Class<?> type;
    private final Kind kind;
    private final @Nullable PlainRecord record;
    private volatile boolean proven;

    private PlainCodec(Class<?> type, Kind kind, @Nullable PlainRecord record) {
        this.type = type;
        this.kind = kind;
        this.record = record;
        // numbers and texts read back as what they are
        this.proven = kind != Kind.RECORD;
    }

    /** For a type; null if it is none of these, or says anything about its JSON. */
    static @Nullable PlainCodec of(Type type) {
        return type instanceof Class<?> c ? of(c, Set.of()) : null;
    }

    /** @param within the records around it, which cannot hold themselves */
    static @Nullable PlainCodec of(Class<?> type, Set<Class<?>> within) {
        Kind scalar = SCALARS.get(type);
        if (scalar != null) {
            return new PlainCodec(type, scalar, null);
        }
        if (type.isEnum()) {
            return Plainness.isPlainEnum(type) ? new PlainCodec(type, Kind.ENUM, null) : null;
        }
        if (!type.isRecord() || within.contains(type) || !Plainness.isPlainRecord(type)) {
            return null;
        }
        PlainRecord record = PlainRecord.of(type, within);
        return record == null ? null : new PlainCodec(type, Kind.RECORD, record);
    }

    /** Whether a value has been seen to come back as what it was; a record's constructor may have other ideas. */
    boolean isProven() {
        return proven;
    }

    void isProvenNow() {
        proven = true;
    }

    void write(JsonGenerator out, @Nullable Object value) {
        if (value == null) {
            out.writeNull();
            return;
        }
        switch (kind) {
            case BOOLEAN -> out.writeBoolean((Boolean) value);
            case INT -> out.writeNumber((Integer) value);
            case LONG -> out.writeNumber((Long) value);
            case DOUBLE -> out.writeNumber((Double) value);
            case TEXT -> out.writeString((String) value);
            case UUID -> out.writeString(value.toString());
            case ENUM -> out.writeString(((Enum<?>) value).name());
            case RECORD -> record().write(out, value);
        }
    }

    /** Reads the value whose first token is the current one. */
    @Nullable
    Object read(JsonParser in) {
        JsonToken token = in.currentToken();
        if (token == JsonToken.VALUE_NULL && !type.isPrimitive()) {
            return null;
        }
        return switch (kind) {
            case BOOLEAN -> token == JsonToken.VALUE_TRUE || !demand(token == JsonToken.VALUE_FALSE);
            case INT -> {
                demand(token == JsonToken.VALUE_NUMBER_INT);
                yield in.getIntValue();
            }
            case LONG -> {
                demand(token == JsonToken.VALUE_NUMBER_INT);
                yield in.getLongValue();
            }
            case DOUBLE -> {
                demand(token == JsonToken.VALUE_NUMBER_FLOAT);
                yield in.getDoubleValue();
            }
            case TEXT -> {
                demand(token == JsonToken.VALUE_STRING);
                yield in.getString();
            }
            case UUID -> {
                demand(token == JsonToken.VALUE_STRING);
                UUID id = java.util.UUID.fromString(in.getString());
                demand(id.toString().equals(in.getString()));
                yield id;
            }
            case ENUM -> {
                demand(token == JsonToken.VALUE_STRING);
                yield constant(in.getString());
            }
            case RECORD -> record().read(in);
        };
    }

    private PlainRecord record() {
        if (record == null) {
            throw new IllegalStateException(type + " is no record");
        }
        return record;
    }

    private Object constant(String name) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("not plain");
    }

    /** What is not as it was written is left to the binding, which knows whether it can be meant and what to say if not. */
    static boolean demand(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("not plain");
        }
        return true;
    }
}
