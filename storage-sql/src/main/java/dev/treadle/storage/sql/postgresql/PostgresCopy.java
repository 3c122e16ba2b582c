package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Rows on their way into a table with COPY in its binary form (PostgreSQL's manual, "COPY", section "Binary Format"). It
 * logs the rows of a page in one record, where a statement logs each by itself: some 50 bytes less for each. Used by one
 * thread.
 */
public final class PostgresCopy {
    /** Fewer rows go in one statement, which takes fewer round trips. */
    static final int ROWS_MIN = 100;

    private static final byte[] SIGNATURE = "PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final int FLAGS_AND_EXTENSION = 2 * Integer.BYTES;
    private static final int END = -1;
    private static final int NULL = -1;
    /** Where PostgreSQL's times begin. */
    private static final long EPOCH_SECONDS =
            Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();

    private static final int BYTES_FIRST = 1 << 16;

    private ByteBuffer bytes = ByteBuffer.allocate(BYTES_FIRST);

    private PostgresCopy() {
        bytes.put(SIGNATURE).put(new byte[FLAGS_AND_EXTENSION]);
    }

    /** Copies a row for each thing; if one is refused, so are all, and the transaction with them. */
    static <T> void rows(Session session, SqlStatement verb, List<T> things, int columns, Row<T> row)
            throws SQLException {
        PostgresCopy rows = new PostgresCopy();
        for (T thing : things) {
            rows.room(Short.BYTES).putShort((short) columns);
            row.write(rows, thing);
        }
        rows.room(Short.BYTES).putShort((short) END);
        rows.send(session.connection().unwrap(PGConnection.class).getCopyAPI().copyIn(session.text(verb)));
    }

    private void send(CopyIn copy) throws SQLException {
        try {
            copy.writeToCopy(bytes.array(), 0, bytes.position());
            copy.endCopy();
        } catch (SQLException e) {
            cancel(copy, e);
            throw e;
        }
    }

    /** So that the connection can be used again, if it is still there. */
    private static void cancel(CopyIn copy, SQLException why) {
        try {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        } catch (SQLException e) {
            why.addSuppressed(e);
        }
    }

    PostgresCopy uuid(UUID id) {
        room(Integer.BYTES + 2 * Long.BYTES)
                .putInt(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits());
        return this;
    }

    PostgresCopy smallint(int number) {
        room(Integer.BYTES + Short.BYTES).putInt(Short.BYTES).putShort((short) number);
        return this;
    }

    PostgresCopy bigint(@Nullable Long number) {
        if (number == null) {
            return nothing();
        }
        room(Integer.BYTES + Long.BYTES).putInt(Long.BYTES).putLong(number);
        return this;
    }

    PostgresCopy time(Instant time) {
        return bigint(TimeUnit.SECONDS.toMicros(time.getEpochSecond() - EPOCH_SECONDS)
                + TimeUnit.NANOSECONDS.toMicros(time.getNano()));
    }

    PostgresCopy text(@Nullable String text) {
        if (text == null) {
            return nothing();
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        room(Integer.BYTES + utf8.length).putInt(utf8.length).put(utf8);
        return this;
    }

    private PostgresCopy nothing() {
        room(Integer.BYTES).putInt(NULL);
        return this;
    }

    private ByteBuffer room(int wanted) {
        if (bytes.remaining() < wanted) {
            int size = Math.max(Math.addExact(bytes.position(), wanted), Math.multiplyExact(2, bytes.capacity()));
            bytes = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), size)).position(bytes.position());
        }
        return bytes;
    }

    /** Writes the columns of one thing. */
    interface Row<T> {
        void write(PostgresCopy row, T thing);
    }
}
