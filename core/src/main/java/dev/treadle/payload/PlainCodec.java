package dev.treadle.payload;

import java.lang.reflect.Type;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.NumberOutput;

/**
 * Writes and reads numbers, texts, enums, UUIDs and records of those. Most jobs have no other arguments, so most starts
 * do without the six hundred classes of the binding. It writes exactly what {@link Codec} writes, and reads only that.
 * It refuses everything else with an exception, and then the binding is asked.
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

    private PlainCodec(Class<?> type, Kind kind, @Nullable PlainRecord record) {
        this.type = type;
        this.kind = kind;
        this.record = record;
    }

    /** The codec for a type; null if the type is none of these, or has annotations about its JSON. */
    static @Nullable PlainCodec of(Type type) {
        return type instanceof Class<?> c ? of(c, Set.of()) : null;
    }

    /** @param within the enclosing records; a record that contains itself has no codec */
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

    /** Whether {@code equals} compares everything. */
    boolean isEqualsGiven() {
        return record == null || record.isEqualsGiven();
    }

    /** Whether two values are the same. Records are compared by component and not by their {@code equals}. */
    boolean isSame(@Nullable Object one, @Nullable Object other) {
        if (one == null || other == null || record == null) {
            return Objects.equals(one, other);
        }
        return one == other || record.isSame(one, other);
    }

    void write(PlainWriter out, @Nullable Object value) {
        if (value == null) {
            out.literal(null);
            return;
        }
        switch (kind) {
            case BOOLEAN, INT, LONG -> out.literal(value);
            case DOUBLE -> out.literal(decimal((Double) value));
            case TEXT -> out.string((String) value);
            case UUID -> out.string(value.toString());
            case ENUM -> out.string(((Enum<?>) value).name());
            case RECORD -> record().write(out, value);
        }
    }

    /** Written as the binding does it, the same on every Java version. */
    private static String decimal(double value) {
        PlainReader.demand(Double.isFinite(value));
        return NumberOutput.toString(value, true);
    }

    /** Reads the next value. */
    @Nullable
    Object read(PlainReader in) {
        if (!type.isPrimitive() && in.skip("null")) {
            return null;
        }
        return switch (kind) {
            case BOOLEAN -> truth(in);
            case INT -> Integer.valueOf(in.integer());
            case LONG -> Long.valueOf(in.integer());
            case DOUBLE -> Double.valueOf(in.decimal());
            case TEXT -> in.string();
            case UUID -> {
                String text = in.string();
                UUID id = java.util.UUID.fromString(text);
                PlainReader.demand(id.toString().equals(text));
                yield id;
            }
            case ENUM -> constant(in.string());
            case RECORD -> record().read(in);
        };
    }

    private static boolean truth(PlainReader in) {
        boolean holds = in.skip("true");
        PlainReader.demand(holds || in.skip("false"));
        return holds;
    }

    private PlainRecord record() {
        if (record == null) {
            throw new AssertionError(type + " is not a record");
        }
        return record;
    }

    private Object constant(String name) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw PlainReader.notPlain();
    }
}
