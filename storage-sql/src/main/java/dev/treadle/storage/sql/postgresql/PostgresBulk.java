package dev.treadle.storage.sql.postgresql;

import dev.treadle.job.JobState;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlFailure;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.text.TraitsText;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verbs on so many jobs that it is worth copying their rows. Each is a transaction of several statements, and leaves the
 * connection as it was if it cannot be done.
 */
public final class PostgresBulk {
    /** What the UUIDs that Treadle makes say of themselves. Derived ones and those of users may be there already. */
    private static final int FRESH_VERSION = 7;

    private static final Logger LOG = LoggerFactory.getLogger(PostgresBulk.class);

    private PostgresBulk() {}

    /**
     * Keeps jobs of one lane that are due now.
     *
     * @return false if nothing was done, and a statement has to do it: they are few, or one may be there already, which COPY
     *         cannot leave out
     */
    static boolean insert(Session session, int lane, List<NewJob> jobs) throws SQLException {
        return isFor(session, jobs)
                && jobs.stream().allMatch(job -> job.id().value().version() == FRESH_VERSION)
                && tryTogether(session, one -> copy(one, lane, jobs)) != null;
    }

    /**
     * Within a transaction of others nothing is tried, because a refusal would end that. And copied rows get their time from
     * the database.
     */
    private static boolean isFor(Session session, List<?> rows) throws SQLException {
        return rows.size() >= PostgresCopy.ROWS_MIN
                && session.isOneStatement()
                && !session.isTimeGiven()
                && session.connection().isWrapperFor(PGConnection.class);
    }

    /** Null if it was refused: one is there already, or this database does not allow COPY. A statement sorts that out, or says what is wrong. */
    private static <T> @Nullable T tryTogether(Session session, Session.Work<T> work) throws SQLException {
        try {
            return session.together(work);
        } catch (SQLException e) {
            if (SqlFailure.of(e) == SqlFailure.CONNECTION_LOST) {
                throw e;
            }
            LOG.debug("Rows could not be copied; a statement does it.", e);
            return null;
        }
    }

    private static boolean copy(Session session, int lane, List<NewJob> jobs) throws SQLException {
        PostgresCopy.rows(
                session,
                SqlStatement.COPY_JOBS,
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
                SqlStatement.COPY_READY,
                jobs,
                3,
                (row, job) -> row.smallint(lane)
                        .smallint(job.priority())
                        .uuid(job.id().value()));
        try (NamedStatement count = session.statement(SqlStatement.COUNT_ENQUEUED)) {
            count.setInt("jobs", jobs.size());
            return count.executeUpdate() == 1;
        }
    }

    /** Ends attempts well whose leases still hold, and answers those; null if nothing was done, and a statement has to do it. */
    static @Nullable Set<RunId> complete(Session session, List<Transition> endings, Collection<RunId> followed)
            throws SQLException {
        return isFor(session, endings) ? tryTogether(session, one -> endAndTell(one, endings, followed)) : null;
    }

    private static Set<RunId> endAndTell(Session session, List<Transition> endings, Collection<RunId> followed)
            throws SQLException {
        Set<RunId> ended = end(session, endings, followed);
        // as many as there are: each lease held, and none came twice
        List<Transition> told = ended.size() == endings.size() ? endings : firstOfEach(ended, endings);
        PostgresCopy.rows(session, SqlStatement.COPY_HISTORY, told, 8, PostgresBulk::history);
        return ended;
    }

    private static List<Transition> firstOfEach(Set<RunId> ended, List<Transition> endings) {
        Set<RunId> untold = new HashSet<>(ended);
        // removed, so that of two endings of one lease only the first is told
        return endings.stream()
                .filter(ending -> untold.remove(RunId.of(ending.lease())))
                .toList();
    }

    private static Set<RunId> end(Session session, List<Transition> endings, Collection<RunId> followed)
            throws SQLException {
        try (NamedStatement end = PostgresSession.prepareForManyRows(session, SqlStatement.END_LEASES)) {
            new PostgresArrays<>(session, end, endings)
                    .uuids("job_ids", ending -> ending.lease().job().id().value())
                    .longs("tokens", ending -> ending.lease().token());
            return Rows.ended(end, followed);
        }
    }

    private static void history(PostgresCopy row, Transition ending) {
        Lease lease = ending.lease();
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
