package dev.treadle.storage.sql.postgresql;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.PendingWork.Head;
import dev.treadle.storage.sql.postgresql.ClaimBound.Segment;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.rows.NextDue;
import dev.treadle.storage.sql.rows.PendingWorkRows;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks at what waits, without walking over what was taken before. Thread-safe. */
final class PostgresLooks {
    private final ClaimBounds bounds;
    private final DueBound due;
    private final LaneIds lanes;

    PostgresLooks(ClaimBounds bounds, DueBound due, LaneIds lanes) {
        this.bounds = bounds;
        this.due = due;
        this.lanes = lanes;
    }

    NextDue nextDue(Session session) throws SQLException {
        DueBound.Look look = due.look();
        try (NamedStatement select = session.statement(SqlStatement.NEXT_DUE)) {
            select.setObject("due_from", look.from());
            try (ResultSet row = select.executeQuery()) {
                row.next();
                NextDue next = NextDue.read(row, 1);
                due.looked(look, next.isAnyDue() ? null : Rows.time(next.now()));
                return next;
            }
        }
    }

    PendingWork outlook(Session session, NodeId node) throws SQLException {
        DueBound.Look dueLook = due.look();
        ClaimBounds.Look look = bounds.look();
        try (NamedStatement select = session.statement(SqlStatement.OUTLOOK)) {
            select.setObject("due_from", dueLook.from());
            select.setLong("node", node.value());
            setWays(session, select, look);
            try (ResultSet rows = select.executeQuery()) {
                PendingWorkRows read = PendingWorkRows.read(rows, lanes);
                due.looked(
                        dueLook,
                        read.due().isAnyDue() ? null : Rows.time(read.due().now()));
                if (bounds.looked(look, read.priorities(), Rows.time(read.due().now()))) {
                    // nothing was left behind a tail: look at what stands before it
                    return read.with(heads(session));
                }
                return read.outlook();
            }
        }
    }

    List<Head> heads(Session session) throws SQLException {
        ClaimBounds.Look look = bounds.look();
        Heads heads = readHeads(session, look);
        if (bounds.looked(look, heads.priorities(), heads.now())) {
            // nothing was left behind a tail: look at what stands before it
            heads = readHeads(session, bounds.look());
        }
        return heads.all();
    }

    /** What was found, and the priorities by the lanes' numbers. */
    private record Heads(
            List<Head> all,
            Map<Integer, @Nullable Integer> priorities,
            @Nullable OffsetDateTime now) {}

    private Heads readHeads(Session session, ClaimBounds.Look look) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.HEADS)) {
            setWays(session, select, look);
            try (ResultSet rows = select.executeQuery()) {
                List<Head> heads = new ArrayList<>();
                Map<Integer, @Nullable Integer> priorities = new HashMap<>();
                OffsetDateTime now = null;
                while (rows.next()) {
                    now = rows.getObject(6, OffsetDateTime.class);
                    OffsetDateTime runAt = rows.getObject(5, OffsetDateTime.class);
                    Lane lane = lanes.read(rows, 1);
                    priorities.put(rows.getInt(1), runAt == null ? null : (Integer) rows.getInt(4));
                    if (runAt != null) {
                        heads.add(new Head(lane, rows.getInt(4), runAt.toInstant()));
                    }
                }
                return new Heads(heads, priorities, now);
            }
        }
    }

    private static void setWays(Session session, NamedStatement select, ClaimBounds.Look look) throws SQLException {
        new PostgresArrays<>(session, select, look.steps())
                .shorts("lanes", ClaimBounds.Step::lane)
                .shorts("places", ClaimBounds.Step::place)
                .shorts("priorities", step -> step.segment().from().priority())
                .times("run_ats", step -> runAt(step.segment()))
                .uuids("job_ids", step -> step.segment().from().job())
                .shorts("last_priorities", step -> step.segment().lastPriority());
        new PostgresArrays<>(session, select, List.copyOf(look.ways().keySet())).shorts("known_lanes", lane -> lane);
    }

    /** As an array can hold it; null for ever. */
    static @Nullable OffsetDateTime runAt(Segment segment) {
        OffsetDateTime runAt = segment.from().runAt();
        return ClaimBound.EVER.equals(runAt) ? null : runAt;
    }
}
