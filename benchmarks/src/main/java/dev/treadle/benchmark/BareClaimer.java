package dev.treadle.benchmark;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Claims with Treadle's statement, on one connection, for one thread. */
final class BareClaimer {
    private static final OffsetDateTime EARLIEST = Instant.EPOCH.atOffset(ZoneOffset.UTC);
    private static final UUID LEAST = new UUID(0, 0);
    private static final int PRIORITY_LEAST = -1_000;

    private final Connection connection;
    private final PreparedStatement claim;
    private int priority = PRIORITY_LEAST;
    private OffsetDateTime runAt = EARLIEST;
    private UUID job = LEAST;

    /** A job that is ours. */
    record Claimed(UUID id, long token, Work work) {}

    BareClaimer(Connection connection, BareStatements statements) throws SQLException {
        this.connection = connection;
        this.claim = connection.prepareStatement(statements.claim());
    }

    List<Claimed> claim(int max) throws SQLException {
        // one way through all that waits, from where the last claim ended
        claim.setArray(1, connection.createArrayOf("int2", new Short[] {(short) priority}));
        claim.setArray(2, connection.createArrayOf("timestamptz", new OffsetDateTime[] {runAt}));
        claim.setArray(3, connection.createArrayOf("uuid", new UUID[] {job}));
        claim.setArray(4, connection.createArrayOf("int2", new Short[] {Short.MAX_VALUE}));
        claim.setInt(5, BareStatements.LANE);
        claim.setInt(6, max);
        claim.setInt(7, max);
        claim.setLong(8, 1);
        List<Claimed> claimed = new ArrayList<>();
        try (ResultSet rows = claim.executeQuery()) {
            while (rows.next()) {
                UUID id = rows.getObject("id", UUID.class);
                if (id == null) {
                    // the row that says what time it is
                    break;
                }
                claimed.add(new Claimed(id, rows.getLong("token"), BarePayload.read(rows.getString("arguments"))));
                priority = rows.getInt("priority");
                OffsetDateTime later = rows.getObject("run_at", OffsetDateTime.class);
                runAt = later == null ? rows.getObject("created_at", OffsetDateTime.class) : later;
                job = id;
            }
        }
        if (claimed.size() < max) {
            priority = PRIORITY_LEAST;
            runAt = EARLIEST;
            job = LEAST;
        }
        return claimed;
    }
}
