package dev.treadle.storage.sql.admin;

import dev.treadle.job.AfterRule;
import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JoinRule;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Gate;
import dev.treadle.storage.admin.JobSearch.EventSeen;
import dev.treadle.storage.admin.JobSearch.GateSeen;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A gate, and what is done about it.
 *
 * @param awaited     the name of the {@link JoinRule} or {@link AfterRule} under which its waiter waits for it if it is
 *                    suspended, or {@link #EVENT}; null if it does not
 * @param cancelledTo up to which child all are cancelled; null if they are not to be
 * @param until       when the time of the event is over; null if it is no event
 */
record GateRow(
        Gate gate,
        @Nullable String awaited,
        @Nullable Long cancelledTo,
        @Nullable Instant until) {
    /** Instead of a rule: its waiter waits for an event. */
    static final String EVENT = "EVENT";

    static Gate gate(ResultSet row) throws SQLException {
        return new Gate(
                new GateId(Rows.uuid(row, 1)),
                JobId.of(Rows.uuid(row, 2)),
                row.getString(3),
                row.getLong(4),
                row.getObject(5, Long.class),
                row.getLong(6),
                row.getLong(7));
    }

    /** As people see it, with whether its event has come. */
    static GateSeen seen(ResultSet row) throws SQLException {
        Gate gate = gate(row);
        String awaited = row.getString(8);
        Instant until = Rows.instantOrNull(row, 9);
        AfterRule after = afterRule(awaited);
        boolean isEvent = EVENT.equals(awaited);
        String type = row.getString(10);
        return new GateSeen(
                gate,
                awaited == null || isEvent || after != null ? null : JoinRule.valueOf(awaited),
                after,
                until == null
                        ? null
                        : new EventSeen(
                                type == null ? "" : type, until, isEvent, row.getBoolean(11), gate.need() != null));
    }

    static List<GateRow> readAll(Session session, List<UUID> gates) throws SQLException {
        List<GateRow> rows = new ArrayList<>();
        try (NamedStatement select = session.statement(SqlStatement.GATE_ROWS)) {
            select.setArray("ids", session.connection().createArrayOf("UUID", gates.toArray()));
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    rows.add(read(row));
                }
            }
        }
        return rows;
    }

    /** Writes that its waiter waits there no longer. Not done with each look: while the job runs, its run says what it waits for. */
    void pass(Session session) throws SQLException {
        try (NamedStatement update = session.statement(SqlStatement.GATE_PASSED)) {
            update.setObject("cancelled_to", cancelledTo, Types.BIGINT);
            update.setObject("id", gate.id().value());
            update.executeUpdate();
        }
    }

    private static GateRow read(ResultSet row) throws SQLException {
        return new GateRow(gate(row), row.getString(8), row.getObject(9, Long.class), Rows.instantOrNull(row, 10));
    }

    private @Nullable JoinRule rule() {
        return awaited == null || awaited.equals(EVENT) || afterRule() != null ? null : JoinRule.valueOf(awaited);
    }

    /** The rule under which its waiter runs after others; null if it does not wait for that. */
    @Nullable
    AfterRule afterRule() {
        return afterRule(awaited);
    }

    private static @Nullable AfterRule afterRule(@Nullable String awaited) {
        for (AfterRule rule : AfterRule.values()) {
            if (rule.name().equals(awaited)) {
                return rule;
            }
        }
        return null;
    }

    /** Whether its waiter is suspended because of an event that has not come. */
    boolean needsEvent(@Nullable StateName waiter) {
        return waiter == StateName.WAITING && EVENT.equals(awaited);
    }

    boolean isOverdue(Instant now) {
        return until != null && !until.isAfter(now);
    }

    /** Whether its waiter is suspended because of its children and may go on. */
    boolean resumes(@Nullable StateName waiter) {
        JoinRule rule = rule();
        return waiter == StateName.WAITING && rule != null && gate.isOpen(rule);
    }

    /** What is to be done after more has ended, where its waiter stands there. */
    GateRow after(@Nullable StateName waiter, Gate.Count count) {
        GateRow counted = new GateRow(gate.plus(count), awaited, cancelledTo, until);
        JoinRule rule = rule();
        boolean decided = counted.resumes(waiter) && rule != null && counted.gate.cancelsRest(rule);
        return decided ? new GateRow(counted.gate, awaited, 0L, until) : counted;
    }

    /** Whether children are left that have to be cancelled. */
    boolean isCancelling() {
        return cancelledTo != null && cancelledTo < gate.spawned();
    }
}
