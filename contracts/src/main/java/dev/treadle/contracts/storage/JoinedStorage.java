package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.storage.JobQueries;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.storage.admin.Operators;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Words in which contracts speak of transactions of the caller. */
abstract class JoinedStorage extends KeyedStorage {
    /** The label of jobs whose label is looked at. */
    static final String LABEL = "joined";

    private static final int SEEN_MAX = 50;

    /**
     * What anybody can see.
     *
     * @param stories of the jobs that a test is about
     */
    private record Seen(
            Map<StateName, Long> counts,
            Map<JobId, Optional<JobStory>> stories,
            List<JobId> labelled,
            List<RecurringJob> recurring,
            List<Operators.Done> audit,
            List<StopRequest> stops) {}

    private Seen seen(Collection<JobId> about) {
        Map<JobId, Optional<JobStory>> stories = new TreeMap<>();
        about.forEach(id -> stories.put(id, storage.queries().find(id)));
        return new Seen(
                storage.search().counts(),
                stories,
                storage.queries().labelled(LABEL, null, JobQueries.LABELLED_MAX),
                storage.recurring().list("", SEEN_MAX),
                storage.operators().audit(null, SEEN_MAX),
                storage.runs().stopRequests(NODE));
    }

    /** A storage without transactions refuses, which is a test of its own. */
    final void assumeTransactions() {
        assumeTrue(storage.dataSource().isPresent(), "This storage has no transactions to take part in.");
    }

    /** A connection with a transaction under way; the caller ends it and closes the connection. */
    final Connection begin() {
        assumeTransactions();
        try {
            Connection connection = storage.dataSource().orElseThrow().getConnection();
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Ends a transaction and gives the connection back as it was. */
    static void end(Connection connection, boolean commit) {
        try (connection) {
            if (commit) {
                connection.commit();
            } else {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Does something in a transaction that is rolled back, and again in one that is committed: no other transaction sees any
     * of it before the commit or after the rollback.
     *
     * @param about jobs whose stories it may change
     * @return what it answered in the transaction that was committed
     */
    final <T> T joins(Collection<JobId> about, Function<TransactionalStorage, T> act) {
        Seen before = seen(about);
        rolledBack(before, about, act);
        assertEquals(before, seen(about), "a rollback left something");

        List<Runnable> afterCommit = new ArrayList<>();
        Connection connection = begin();
        boolean done = false;
        T answer;
        try {
            answer = act.apply(storage.in(connection, afterCommit::add));
            assertEquals(before, seen(about), "seen before the commit");
            done = true;
        } finally {
            end(connection, done);
        }
        afterCommit.forEach(Runnable::run);
        assertNotEquals(before, seen(about), "nothing came of the commit");
        return answer;
    }

    private void rolledBack(Seen before, Collection<JobId> about, Function<TransactionalStorage, ?> act) {
        Connection connection = begin();
        try {
            act.apply(storage.in(connection, null));
            assertEquals(before, seen(about), "seen before the rollback");
        } finally {
            end(connection, false);
        }
    }

    static Collection<JobId> about(JobId... ids) {
        return new TreeSet<>(List.of(ids));
    }
}
