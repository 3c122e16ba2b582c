package dev.treadle.storage.sql;

import dev.treadle.job.JobState;
import dev.treadle.storage.Ending;
import dev.treadle.storage.Leased;
import dev.treadle.storage.NewJob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Verbs on so many jobs that it is worth copying their rows. Each is a transaction of several statements. */
final class PostgresBulk {
    /** What the UUIDs that Treadle makes say of themselves. Derived ones and those of users may be there already. */
    private static final int FRESH_VERSION = 7;

    private static final String ALREADY_THERE = "23505";

    private PostgresBulk() {}

    /**
     * Keeps jobs of one lane that are due now.
     *
     * @return false if nothing was done because they are few, or one may be there already, which COPY cannot leave out
     */
    static boolean insert(Session session, int lane, List<NewJob> jobs) throws SQLException {
        if (!session.isOneStatement()
                || !PostgresCopy.isFor(session, jobs)
                || jobs.stream().anyMatch(job -> job.id().value().version() != FRESH_VERSION)) {
            return false;
        }
        try {
            return session.together(one -> copy(one, lane, jobs));
        } catch (SQLException e) {
            if (ALREADY_THERE.equals(e.getSQLState())) {
                // the commit before was done and its answer got lost, or it is somebody's own id
                return false;
            }
            throw e;
        }
    }

    private static boolean copy(Session session, int lane, List<NewJob> jobs) throws SQLException {
        PostgresCopy.rows(
                session,
                Verb.COPY_JOBS,
                jobs,
                6,
                (row, job) -> row.uuid(job.id().value())
                        .text(job.invocation().type())
                        .text(job.invocation().method())
                        .text(job.invocation().arguments())
                        .smallint(job.priority())
                        .text(TraitsText.write(job.traits())));
        PostgresCopy.rows(
                session,
                Verb.COPY_READY,
                jobs,
                3,
                (row, job) -> row.smallint(lane)
                        .smallint(job.priority())
                        .uuid(job.id().value()));
        try (PreparedStatement count = session.prepare(Verb.COUNT_ENQUEUED)) {
            count.setInt(1, jobs.size());
            return count.executeUpdate() == 1;
        }
    }

    /** Ends attempts well whose leases still hold, and answers those. */
    static Set<LeaseKey> complete(Session session, List<Ending.Complete> endings) throws SQLException {
        return session.together(one -> {
            Set<LeaseKey> ended = end(one, endings);
            Set<LeaseKey> untold = new HashSet<>(ended);
            // removed, so that of two endings of one lease only the first is told
            List<Ending.Complete> told = endings.stream()
                    .filter(ending -> untold.remove(LeaseKey.of(ending.lease())))
                    .toList();
            PostgresCopy.rows(one, Verb.COPY_HISTORY, told, 8, PostgresBulk::history);
            return ended;
        });
    }

    private static Set<LeaseKey> end(Session session, List<Ending.Complete> endings) throws SQLException {
        Set<LeaseKey> ended = new HashSet<>();
        try (PreparedStatement end = session.prepare(Verb.END_LEASES)) {
            new PostgresArrays<>(session, end, endings)
                    .uuids(ending -> ending.lease().job().id().value())
                    .longs(ending -> ending.lease().token());
            try (ResultSet rows = end.executeQuery()) {
                while (rows.next()) {
                    ended.add(new LeaseKey(Rows.uuid(rows, 1), rows.getLong(2)));
                }
            }
        }
        return ended;
    }

    private static void history(PostgresCopy row, Ending.Complete ending) {
        Leased lease = ending.lease();
        row.uuid(lease.job().id().value())
                .bigint(lease.token())
                .smallint(ending.event().code())
                .smallint(ending.next().code())
                .smallint(lease.job().attempt())
                .bigint(lease.node().value())
                .time(((JobState.Processing) lease.job().state()).since())
                .bigint(Rows.micros(ending.ranFor()));
    }
}
