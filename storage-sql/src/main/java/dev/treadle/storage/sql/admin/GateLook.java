package dev.treadle.storage.sql.admin;

import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.Gate.Count;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.sql.jobs.GateCounts;
import dev.treadle.storage.sql.keys.HeldJobs;
import dev.treadle.storage.sql.keys.KeyQueues;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * One look at gates where something has happened, in one transaction. It locks the bodies of the jobs that wait, as
 * everybody does who moves a job by hand, so one gate is looked at by one node at a time; and it sees all that was
 * committed before.
 *
 * @param resumed  how many jobs go on
 * @param toCancel gates whose children are cancelled next
 * @param more     whether more has happened than one look takes
 */
record GateLook(int resumed, List<GateRow> toCancel, boolean more) {
    /** Most rows that one look adds up. */
    private static final int COUNTS_MAX = 10_000;

    static GateLook at(Session session, SqlKeys keys, List<UUID> gates) throws SQLException {
        List<GateRow> found = GateRow.readAll(session, gates);
        FollowerLook followers = FollowerLook.find(session, gates, found);
        List<JobId> waiters = Stream.concat(found.stream().map(row -> row.gate().waiter()), followers.waiters())
                .distinct()
                .toList();
        HeldJobs held = HeldJobs.lock(session, keys, waiters);
        Map<UUID, Count> counts = new HashMap<>();
        boolean more = takeCounts(session, gates, counts) == COUNTS_MAX;
        Map<JobId, StateName> states = SqlQueries.states(session, waiters);
        Instant time = KeyQueues.now(session);
        int resumed = followers.look(held, states);
        List<GateRow> toCancel = new ArrayList<>();
        // read again: what others have made of them before they were locked
        for (GateRow row : GateRow.readAll(session, gates)) {
            Gate gate = row.gate();
            if (gate.isAfter()) {
                continue;
            }
            StateName waiter = states.get(gate.waiter());
            GateRow now = row.after(waiter, counts.getOrDefault(gate.id().value(), Count.NONE));
            boolean resumes = now.resumes(waiter) || now.needsEvent(waiter) && hasCome(session, now, time);
            if (resumes) {
                SqlOperators.change(held, gate.waiter(), Trigger.RESUME, Details.NONE);
                resumed++;
            }
            write(session, gate.id(), counts.getOrDefault(gate.id().value(), Count.NONE));
            if (resumes || waiter == null || waiter.isFinal()) {
                now.pass(session);
            }
            if (now.isCancelling()) {
                toCancel.add(now);
                GateCounts.lookAgain(session, gate.id());
            }
        }
        held.settle();
        return new GateLook(resumed, toCancel, more || !followers.unlooked().isEmpty());
    }

    private static boolean hasCome(Session session, GateRow row, Instant now) throws SQLException {
        return row.isOverdue(now)
                || EventRows.read(session, row.gate().waiter(), row.gate().name()) != null;
    }

    private static int takeCounts(Session session, List<UUID> gates, Map<UUID, Count> counts) throws SQLException {
        List<Long> taken = new ArrayList<>();
        try (NamedStatement select = session.statement(SqlStatement.GATE_COUNTS)) {
            select.setArray("gates", session.connection().createArrayOf("UUID", gates.toArray()));
            select.setInt("max", COUNTS_MAX);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    taken.add(row.getLong(1));
                    counts.merge(Rows.uuid(row, 2), new Count(row.getLong(3), row.getLong(4)), Count::plus);
                }
            }
        }
        forget(session, taken);
        return taken.size();
    }

    private static void forget(Session session, Collection<Long> numbers) throws SQLException {
        try (NamedStatement delete = session.statement(SqlStatement.FORGET_COUNT)) {
            for (Long number : numbers) {
                delete.setLong("number", number);
                delete.addBatch();
            }
            delete.executeBatch();
        }
    }

    private static void write(Session session, GateId gate, Count count) throws SQLException {
        if (count.equals(Count.NONE)) {
            return;
        }
        try (NamedStatement update = session.statement(SqlStatement.GATE_LOOKED)) {
            update.setLong("ended", count.ended());
            update.setLong("failed", count.failed());
            update.setObject("id", gate.value());
            update.executeUpdate();
        }
    }
}
