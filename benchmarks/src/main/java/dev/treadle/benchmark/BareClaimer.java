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

    private final PreparedStatement claim;
    private int priority = PRIORITY_LEAST;
    private OffsetDateTime runAt = EARLIEST;
    private UUID job = LEAST;

    /** A job that is ours. */
    record Claimed(UUID id, long token, Work work) {}

    BareClaimer(Connection connection, BareStatements statements) throws SQLException {
        this.claim = connection.prepareStatement(statements.claim());
    }

    List<Claimed> claim(int max) throws SQLException {
        claim.setInt(1, BareStatements.LANE);
        claim.setInt(2, priority);
        claim.setObject(3, runAt);
        claim.setObject(4, job);
        claim.setInt(5, max);
        claim.setLong(6, 1);
        List<Claimed> claimed = new ArrayList<>();
        try (ResultSet rows = claim.executeQuery()) {
            while (rows.next()) {
                UUID id = rows.getObject("id", UUID.class);
                claimed.add(new Claimed(id, rows.getLong("token"), BarePayload.read(rows.getString("arguments"))));
                priority = rows.getInt("priority");
                runAt = rows.getObject("run_at", OffsetDateTime.class);
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
