package dev.treadle.storage.sql.mariadb;

import java.nio.ByteBuffer;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ids and times as the tables of MariaDB hold them. */
final class MariaDbValues {
    private MariaDbValues() {}

    /** What the driver is given for a value. */
    static @Nullable Object toDriver(@Nullable Object value) {
        if (value instanceof UUID id) {
            return ByteBuffer.allocate(Long.BYTES * 2)
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits())
                    .array();
        }
        return value instanceof OffsetDateTime time
                ? time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime()
                : value;
    }

    static @Nullable UUID id(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        ByteBuffer id = ByteBuffer.wrap(bytes);
        return new UUID(id.getLong(), id.getLong());
    }

    static @Nullable OffsetDateTime time(@Nullable LocalDateTime time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }
}
