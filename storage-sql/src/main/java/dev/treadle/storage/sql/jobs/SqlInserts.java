package dev.treadle.storage.sql.jobs;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorAct;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.portable.Notifier;
import dev.treadle.storage.sql.portable.NotifyWithInsert;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keeps new jobs and notifies of them. Thread-safe. */
public final class SqlInserts {
    /** What is due later than this is seen by the looks of all nodes before; a little more for clocks that differ. */
    private static final Duration SOON = Duration.ofSeconds(5);

    private final Transactions transactions;
    private final DialectStatements verbs;
    private final SqlKeys keys;
    private final LaneIds lanes;
    private final Notifier notifier;
    private final InstantSource clock;

    /** @param clock of this process */
    public SqlInserts(
            Transactions transactions,
            DialectStatements verbs,
            SqlKeys keys,
            LaneIds lanes,
            Notifier notifier,
            InstantSource clock) {
        this.transactions = transactions;
        this.verbs = verbs;
        this.keys = keys;
        this.lanes = lanes;
        this.notifier = notifier;
        this.clock = clock;
    }

    /**
     * Answers the ids that were there already, and those that came twice.
     *
     * @param act what an operator did, for its audit row; null if none did
     */
    public Set<JobId> insert(List<NewJob> all, @Nullable OperatorAct act) {
        Set<JobId> existing = new HashSet<>();
        InsertBatch incoming = InsertBatch.of(all, existing);
        List<NewJob> jobs = incoming.jobs();
        know(jobs);
        // why not in a transaction of a caller: it may stay open for long, and announces its commit by itself
        boolean mayRing = jobs.size() == 1 && !incoming.isMixed() && incoming.anyDue() && transactions.areOwn();
        NotifyWithInsert ring = mayRing ? notifier.withInsert(jobs.get(0).lane()) : null;
        Set<JobId> fresh =
                run("insert " + jobs.size() + " jobs", act == null, incoming.isMixed() || act != null, session -> {
                    Set<JobId> kept = incoming.keyed() ? keys.insert(session, all) : verbs.insert(session, jobs, ring);
                    Batches.describe(session, jobs, kept);
                    if (act != null) {
                        Batches.note(session, act, all.size());
                    }
                    return kept;
                });
        boolean anyFresh = !fresh.isEmpty();
        transactions.afterCommit(() -> committed(incoming, ring, anyFresh));
        for (NewJob job : jobs) {
            if (!fresh.contains(job.id())) {
                existing.add(job.id());
            }
        }
        return existing;
    }

    private void committed(InsertBatch incoming, @Nullable NotifyWithInsert ring, boolean anyFresh) {
        lookAgain(incoming);
        if (ring != null) {
            notifier.sent(ring);
        } else if (anyFresh) {
            tellOf(incoming);
            if (incoming.keyed() && !transactions.areOwn()) {
                // those of a rate wait until they are promoted
                notifier.jobDueSoon(Duration.ZERO);
            }
        }
    }

    /** Keeps jobs in one transaction with something else. */
    public <T> T with(List<NewJob> all, String what, Around<T> work) {
        InsertBatch incoming = InsertBatch.of(all, new HashSet<>());
        List<NewJob> jobs = incoming.jobs();
        know(jobs);
        T result = transactions.transaction(
                what,
                true,
                session -> work.in(session, () -> {
                    Set<JobId> kept = incoming.keyed() ? keys.insert(session, all) : verbs.insert(session, jobs);
                    Batches.describe(session, jobs, kept);
                }));
        transactions.afterCommit(() -> committed(incoming, null, !all.isEmpty()));
        return result;
    }

    /** A transaction in which jobs are kept. */
    public interface Around<T> {
        /** @param insert keeps the jobs */
        T in(Session session, Insert insert) throws SQLException;
    }

    /** Keeps jobs. */
    public interface Insert {
        void run() throws SQLException;
    }

    /** Answers the leases of those that were not there yet, in the order of the jobs. */
    public List<Lease> insertLeased(NodeId node, List<NewJob> all) {
        InsertBatch incoming = InsertBatch.of(all, new HashSet<>());
        List<NewJob> jobs = incoming.jobs();
        know(jobs);
        // not repeated when the connection is lost: a second try would find the jobs there and say nothing of the
        // leases
        List<Lease> born =
                run("insert " + jobs.size() + " jobs leased to " + node, false, incoming.isMixed(), session -> {
                    List<Lease> leases = verbs.insertLeased(session, node, jobs);
                    Batches.describe(session, jobs, Batches.idsOf(leases));
                    return leases;
                });
        return all.size() == 1 ? born : inOrder(all, born);
    }

    private static List<Lease> inOrder(List<NewJob> all, List<Lease> born) {
        Map<JobId, Lease> byId = new HashMap<>();
        born.forEach(lease -> byId.put(lease.job().id(), lease));
        List<Lease> inOrder = new ArrayList<>();
        for (NewJob job : all) {
            Lease lease = byId.remove(job.id());
            if (lease != null) {
                inOrder.add(lease);
            }
        }
        return inOrder;
    }

    private void tellOf(InsertBatch incoming) {
        Map<Lane, Integer> due = new HashMap<>();
        Duration soon = null;
        for (NewJob job : incoming.jobs()) {
            Duration delay = delay(job);
            if (delay == null) {
                due.merge(job.lane(), 1, Integer::sum);
            } else if (delay.compareTo(SOON) < 0 && (soon == null || delay.compareTo(soon) < 0)) {
                soon = delay;
            }
        }
        due.forEach(notifier::jobsDue);
        if (soon != null) {
            notifier.jobDueSoon(soon.isNegative() ? Duration.ZERO : soon);
        }
    }

    /** How long until the job is due, by the clock of this process where it names a time; null if it is due now. */
    private @Nullable Duration delay(NewJob job) {
        if (job.due() instanceof Due.After after) {
            return after.delay();
        }
        return job.due() instanceof Due.At at ? Duration.between(clock.instant(), at.instant()) : null;
    }

    private void lookAgain(InsertBatch incoming) {
        if (incoming.unordered()) {
            verbs.lookAgain();
        }
        for (NewJob job : incoming.jobs()) {
            Duration delay = delay(job);
            if (delay != null && delay.isNegative()) {
                verbs.lookFrom(clock.instant().plus(delay));
            }
        }
    }

    private void know(List<NewJob> jobs) {
        for (NewJob job : jobs) {
            lanes.know(transactions, job.lane());
        }
    }

    private <T> T run(String what, boolean repeatable, boolean isMixed, Session.Work<T> work) {
        return transactions.run(what, repeatable, isMixed || !verbs.areSingleStatements(), work);
    }
}
