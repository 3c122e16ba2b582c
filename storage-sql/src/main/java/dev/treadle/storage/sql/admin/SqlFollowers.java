package dev.treadle.storage.sql.admin;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.Lifecycle;
import dev.treadle.lifecycle.Position;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.storage.sql.jobs.Batches;
import dev.treadle.storage.sql.jobs.GateCounts;
import dev.treadle.storage.sql.keys.HeldJobs;
import dev.treadle.storage.sql.keys.KeyQueues;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.rows.Place;
import dev.treadle.storage.sql.rows.Tally;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import dev.treadle.storage.sql.text.TraitsText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps new jobs that run after others, and sees to it that the ends of the others are told. The bodies of the others are
 * locked and marked, and each is kept where it is until the commit: so who claims one later reads the mark, and who ends
 * one later finds it at the lease. As thread-safe as its transactions.
 */
public final class SqlFollowers {
    /** A job moves on while it is marked: how often to look again. */
    private static final int LOOKS_MAX = 10;

    private final Transactions transactions;
    private final DialectStatements verbs;
    private final SqlKeys keys;
    private final Runnable due;

    /** @param due run after a commit that put jobs back where they may be claimed */
    public SqlFollowers(Transactions transactions, DialectStatements verbs, SqlKeys keys, Runnable due) {
        this.transactions = transactions;
        this.verbs = verbs;
        this.keys = keys;
        this.due = due;
    }

    /** Whether one of them runs after others. */
    public static boolean isAmong(List<NewJob> jobs) {
        for (NewJob job : jobs) {
            if (job.due() instanceof Due.AfterJobs) {
                return true;
            }
        }
        return false;
    }

    /** See {@link TransactionalStorage#insert(List, OperatorAct)}. */
    public Set<JobId> insert(List<NewJob> all, @Nullable OperatorAct act) {
        all.forEach(job -> keys.know(transactions, job));
        Kept kept = transactions.transaction(
                "insert " + all.size() + " jobs that run after others", act == null, session -> {
                    Kept now = insert(session, all);
                    Batches.label(session, all, now.fresh);
                    if (act != null) {
                        Batches.note(session, act, all.size());
                    }
                    return now;
                });
        if (kept.anyDue) {
            due.run();
        }
        Set<JobId> existing = new HashSet<>();
        all.stream().map(NewJob::id).filter(id -> !kept.fresh.contains(id)).forEach(existing::add);
        return existing;
    }

    /**
     * What one call has kept.
     *
     * @param fresh  the jobs that were not there yet
     * @param anyDue whether jobs may be claimed that could not be until the commit
     */
    private record Kept(Set<JobId> fresh, boolean anyDue) {}

    private Kept insert(Session session, List<NewJob> all) throws SQLException {
        Map<JobId, NewJob> different = new LinkedHashMap<>();
        all.forEach(job -> different.putIfAbsent(job.id(), job));
        List<NewJob> followers = different.values().stream()
                .filter(job -> job.due() instanceof Due.AfterJobs)
                .sorted(Comparator.comparing(NewJob::id))
                .toList();
        List<NewJob> others = different.values().stream()
                .filter(job -> !(job.due() instanceof Due.AfterJobs))
                .toList();
        // before they are kept themselves: none runs after one that is not there yet, so none can wait for itself
        HeldJobs held = HeldJobs.lock(session, keys, followed(followers));
        Set<JobId> fresh = new HashSet<>(verbs.keep(session, followers));
        List<NewJob> kept =
                followers.stream().filter(job -> fresh.contains(job.id())).toList();
        for (NewJob job : kept) {
            mustFind(held, job);
        }
        boolean anyDue = !others.isEmpty();
        for (JobId id : followed(kept)) {
            anyDue |= mark(held, id);
        }
        for (NewJob job : kept) {
            place(held, job);
        }
        held.settle();
        if (!others.isEmpty()) {
            fresh.addAll(keys.insert(session, others));
        }
        return new Kept(fresh, anyDue);
    }

    private static TreeSet<JobId> followed(Collection<NewJob> followers) {
        TreeSet<JobId> followed = new TreeSet<>();
        followers.forEach(job -> followed.addAll(after(job).jobs()));
        return followed;
    }

    private static Due.AfterJobs after(NewJob job) {
        return (Due.AfterJobs) job.due();
    }

    private static void mustFind(HeldJobs held, NewJob job) {
        List<JobId> missing =
                after(job).jobs().stream().filter(id -> held.traits(id) == null).toList();
        if (!missing.isEmpty()) {
            throw Gate.missing(job.id(), missing);
        }
    }

    /**
     * Marks a job, unless it is.
     *
     * @return whether no node can claim it until the commit
     */
    private static boolean mark(HeldJobs held, JobId id) throws SQLException {
        JobTraits traits = Objects.requireNonNull(held.traits(id));
        if (traits.isFollowed()) {
            return false;
        }
        try (NamedStatement update = held.session().statement(SqlStatement.MARK_FOLLOWED)) {
            update.setString("traits", TraitsText.write(traits.withFollowed(true)));
            update.setObject("id", id.value());
            update.executeUpdate();
        }
        for (int look = 0; look < LOOKS_MAX; look++) {
            StateName state = SqlQueries.state(held.session(), id);
            if (keep(held, id, traits, state)) {
                return state == StateName.ENQUEUED;
            }
        }
        throw new StorageException(
                "Job " + id + " moved on each time it was found, so no job could be put after it. Try again.",
                null,
                true);
    }

    /**
     * Keeps a job where it is until the commit, so that a node that moves it on does so with a look that is younger than the
     * mark. What holds its body or its key does that for most places; a lease is marked itself.
     *
     * @return false if it moved on before
     */
    private static boolean keep(HeldJobs held, JobId id, JobTraits traits, StateName state) throws SQLException {
        Session session = held.session();
        if (traits.key() != null && isIn(session, SqlStatement.HOLD_KEYED, id)) {
            return true;
        }
        return switch (state) {
            case SUCCEEDED, FAILED, CANCELLED, WAITING -> true;
            case SCHEDULED -> isIn(session, SqlStatement.HOLD_DEFERRED, id);
            case PARKED -> isIn(session, SqlStatement.HOLD_PARKED, id);
            case PROCESSING -> markLease(session, id);
            case ENQUEUED -> putAgain(held, id, traits);
        };
    }

    private static boolean isIn(Session session, SqlStatement table, JobId id) throws SQLException {
        try (NamedStatement hold = session.statement(table)) {
            hold.setObject("job_id", id.value());
            try (ResultSet row = hold.executeQuery()) {
                return row.next();
            }
        }
    }

    private static boolean markLease(Session session, JobId id) throws SQLException {
        try (NamedStatement update = session.statement(SqlStatement.FOLLOW_LEASE)) {
            update.setObject("job_id", id.value());
            return update.executeUpdate() == 1;
        }
    }

    /**
     * Takes a ready job out and puts it back where it was. A claim on PostgreSQL reads bodies as they were when it began: it
     * does not see the new row then, and leaves the job to the next claim.
     */
    private static boolean putAgain(HeldJobs held, JobId id, JobTraits traits) throws SQLException {
        List<Place> found = find(held, SqlStatement.FIND_FRESH_READY, id, traits);
        if (found.isEmpty()) {
            found = find(held, SqlStatement.FIND_READY, id, traits);
        }
        if (found.isEmpty()) {
            return false;
        }
        Place place = found.get(0);
        Session session = held.session();
        try (NamedStatement take = session.statement(SqlStatement.TAKE);
                NamedStatement put = session.statement(SqlStatement.ENQUEUE)) {
            set(take, place);
            if (take.executeUpdate() == 0) {
                return false;
            }
            set(put, place);
            put.setInt("attempt", place.attempt());
            put.executeUpdate();
        }
        return true;
    }

    private static void set(NamedStatement statement, Place place) throws SQLException {
        statement.setInt("lane", place.lane());
        statement.setInt("priority", place.priority());
        statement.setObject("run_at", Rows.time(place.at()));
        statement.setObject("job_id", place.job());
    }

    private static List<Place> find(HeldJobs held, SqlStatement verb, JobId id, JobTraits traits) throws SQLException {
        try (NamedStatement select = held.session().statement(verb)) {
            select.setInt("lane", held.keys().lane(traits));
            select.setInt("priority", traits.priority());
            select.setObject("job_id", id.value());
            return Place.read(select);
        }
    }

    /** Has a new job wait, and be looked at after the commit: what it runs after may have ended by then. */
    private static void place(HeldJobs held, NewJob job) throws SQLException {
        suspend(held, job);
        follow(held.session(), job);
    }

    /** Has a new job wait, whose body is kept. */
    static void suspend(HeldJobs held, NewJob job) throws SQLException {
        Session session = held.session();
        Transition waits = Objects.requireNonNull(
                Lifecycle.decide(job.id(), Position.ofNew(job.traits()), Trigger.WAIT, Details.NONE));
        try (NamedStatement wait = session.statement(SqlStatement.WAIT)) {
            wait.setObject("job_id", job.id().value());
            wait.setInt("lane", held.keys().lane(job.traits()));
            wait.setInt("priority", job.priority());
            wait.setInt("attempt", waits.to().attempt());
            wait.executeUpdate();
        }
        if (job.traits().key() != null) {
            new KeyQueues(session, held.keys())
                    .putAside(job.id(), job.traits(), waits.to().attempt());
        }
        new Tally().of(waits).write(session);
    }

    private static void follow(Session session, NewJob job) throws SQLException {
        List<JobId> jobs = new ArrayList<>(after(job).jobs());
        Gate gate = Gate.after(job.id(), jobs.size());
        try (NamedStatement insert = session.statement(SqlStatement.AFTER_GATE)) {
            insert.setObject("id", gate.id().value());
            insert.setObject("waiter", job.id().value());
            insert.setString("name", gate.name());
            insert.setLong("need", jobs.size());
            insert.setString("rule", after(job).rule().name());
            insert.executeUpdate();
        }
        try (NamedStatement insert = session.statement(SqlStatement.FOLLOW)) {
            for (JobId id : jobs) {
                insert.setObject("waiter", job.id().value());
                insert.setObject("job_id", id.value());
                insert.addBatch();
            }
            insert.executeBatch();
        }
        GateCounts.lookAgain(session, gate.id());
    }
}
