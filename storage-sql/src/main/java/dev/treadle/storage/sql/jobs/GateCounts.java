package dev.treadle.storage.sql.jobs;

import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Gate.Count;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Tells gates what has happened, in the transaction in which it did: a row for each gate and write, so that no two writers
 * wait for each other. Who opens gates adds them up. Jobs without a gate pay for none of it.
 */
public final class GateCounts {
    private GateCounts() {}

    /** Whether one of these endings is told to a gate, so that it takes more than one statement. */
    static boolean anyOf(List<Transition> endings) {
        for (Transition ending : endings) {
            JobTraits traits = ending.from().traits();
            if (traits.gate() != null || traits.isFollowed() || ending.trigger() == Trigger.SUSPEND) {
                return true;
            }
        }
        return false;
    }

    /** Tells of those endings that were written. */
    static void ended(Session session, List<Transition> endings, Collection<RunId> written) throws SQLException {
        if (!anyOf(endings)) {
            return;
        }
        Map<GateId, Count> counts = new TreeMap<>((a, b) -> a.value().compareTo(b.value()));
        for (Transition ending : endings) {
            if (written.contains(RunId.of(ending.lease()))) {
                GateId gate = ending.from().traits().gate();
                Count count = gate == null ? Count.NONE : Count.of(ending);
                if (gate != null && count != Count.NONE) {
                    counts.merge(gate, count, Count::plus);
                }
                if (ending.from().traits().isFollowed() && ending.next().isFinal()) {
                    counts.put(gatesOfFollowers(ending.job()), Count.NONE);
                }
                if (ending.trigger() == Trigger.SUSPEND) {
                    lookAtAwaited(session, ending.job());
                }
            }
        }
        write(session, counts);
    }

    /** Tells of a change that somebody made. */
    public static void count(Session session, Transition change) throws SQLException {
        GateId gate = change.from().traits().gate();
        Count count = gate == null ? Count.NONE : Count.of(change);
        if (gate != null && count != Count.NONE) {
            write(session, Map.of(gate, count));
        }
        boolean isDeleted = change.to().state() == null;
        if (change.from().traits().isFollowed() && (isDeleted || Count.of(change) != Count.NONE)) {
            if (isDeleted) {
                deleted(session, change);
            } else {
                lookAgain(session, gatesOfFollowers(change.job()));
            }
        }
    }

    /** Stands for the gates of all jobs that run after one: they are found when they are looked at. */
    public static GateId gatesOfFollowers(JobId job) {
        return new GateId(job.value());
    }

    /** Keeps how a job had ended that nobody can look up from now on. */
    private static void deleted(Session session, Transition change) throws SQLException {
        StateName last = Objects.requireNonNull(change.from().state());
        try (NamedStatement update = session.statement(SqlStatement.EDGES_OF_DELETED)) {
            update.setInt("outcome", (last.isFinal() ? last : StateName.CANCELLED).code());
            update.setObject("job_id", change.job().value());
            update.executeUpdate();
        }
        try (NamedStatement insert = session.statement(SqlStatement.LOOK_AT_FOLLOWERS)) {
            insert.setObject("job_id", change.job().value());
            insert.executeUpdate();
        }
    }

    private static void write(Session session, Map<GateId, Count> counts) throws SQLException {
        if (counts.isEmpty()) {
            return;
        }
        try (NamedStatement insert = session.statement(SqlStatement.COUNT_AT_GATE)) {
            for (Map.Entry<GateId, Count> count : counts.entrySet()) {
                insert.setObject("gate", count.getKey().value());
                insert.setLong("ended", count.getValue().ended());
                insert.setLong("failed", count.getValue().failed());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** Has a gate looked at although nothing was counted. */
    public static void lookAgain(Session session, GateId gate) throws SQLException {
        write(session, Map.of(gate, Count.NONE));
    }

    private static void lookAtAwaited(Session session, JobId waiter) throws SQLException {
        try (NamedStatement insert = session.statement(SqlStatement.LOOK_AT_AWAITED)) {
            insert.setObject("waiter", waiter.value());
            insert.executeUpdate();
        }
    }
}
