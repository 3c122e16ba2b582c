package dev.treadle.job;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of one job: a 128-bit UUID made by the process that enqueues it. So an enqueue whose answer was lost can
 * be repeated with the same id, without storing the job twice.
 *
 * @param value the UUID; version 7 when Treadle made it, so that ids sort by time
 */
public record JobId(UUID value) implements Comparable<JobId> {

    /** Wraps an id made elsewhere. */
    public static JobId of(UUID value) {
        return new JobId(value);
    }

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws IllegalArgumentException if the text is not a UUID
     */
    public static JobId parse(String text) {
        return new JobId(UUID.fromString(text));
    }

    /**
     * An id that depends only on this id and a name: the same two always give the same id. A job that enqueues
     * children under such ids may run twice and still enqueues each child once.
     *
     * @return a version 8 UUID (RFC 9562, section 5.8): the first 48 bits of this id, which hold its time, so that
     *           children are beside their parent in lists and in the database's pages; then 74 bits of the SHA-256 of
     *           both
     */
    public JobId derive(String name) {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
        digest.update(ByteBuffer.allocate(Long.BYTES * 2)
                .putLong(value.getMostSignificantBits())
                .putLong(value.getLeastSignificantBits())
                .array());
        ByteBuffer hash = ByteBuffer.wrap(digest.digest(name.getBytes(StandardCharsets.UTF_8)));
        long high = value.getMostSignificantBits() & ~0xFFFFL | 0x8000L | hash.getLong() & 0xFFFL;
        long low = hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
        return new JobId(new UUID(high, low));
    }

    /** Like that of any record; written out because the generated method costs ten milliseconds of a start. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobId id && value.equals(id.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    /** Unsigned order, so that ids of version 7 sort by the time they were made. */
    @Override
    public int compareTo(JobId other) {
        int high = Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
        return high != 0
                ? high
                : Long.compareUnsigned(value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
