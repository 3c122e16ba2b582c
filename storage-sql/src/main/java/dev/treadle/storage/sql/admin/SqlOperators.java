package dev.treadle.storage.sql.admin;

import dev.treadle.job.Due;
import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Lifecycle;
import dev.treadle.lifecycle.Position;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Slot;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.jobs.Batches;
import dev.treadle.storage.sql.jobs.Deadlines;
import dev.treadle.storage.sql.jobs.GateCounts;
import dev.treadle.storage.sql.jobs.SqlRetention;
import dev.treadle.storage.sql.jobs.SqlRuns;
import dev.treadle.storage.sql.jobs.SqlSteps;
import dev.treadle.storage.sql.keys.HeldJobs;
import dev.treadle.storage.sql.keys.KeyQueues;
import dev.treadle.storage.sql.keys.KeyQueues.Left;
import dev.treadle.storage.sql.keys.KeyRows;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.rows.Tally;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.text.TraitsText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Applies transitions to single jobs whose state only the database knows: what operators do, and what replaces a job. Each
 * looks where the job is, takes it out of there if it is still there, and writes what {@link Lifecycle} decides.
 */
public final class SqlOperators {
    /** A job moves on while it is looked for: how often to look again. */
    private static final int LOOKS_MAX = 10;

    private SqlOperators() {}

    /** Applies a trigger to one job, in a transaction that locks it. */
    public static WriteResult change(Session session, SqlKeys keys, JobId id, Trigger trigger, Details details)
            throws SQLException {
        return HeldJobs.move(session, keys, id, held -> change(held, id, trigger, details));
    }

    /** Applies a trigger to several jobs, in a transaction that locks them; one answer for each, in their order. */
    public static List<WriteResult> change(
            Session session, SqlKeys keys, List<JobId> ids, Trigger trigger, Details details) throws SQLException {
        if (ids.size() == 1) {
            return List.of(change(session, keys, ids.get(0), trigger, details));
        }
        Map<JobId, WriteResult> done = new HashMap<>();
        // sorted: two who act on the same jobs wait for each other in turn and not crosswise
        List<JobId> sorted = ids.stream().sorted().distinct().toList();
        HeldJobs held = HeldJobs.lock(session, keys, sorted);
        for (JobId id : sorted) {
            done.put(id, change(held, id, trigger, details));
        }
        held.settle();
        return ids.stream().map(done::get).toList();
    }

    static WriteResult change(HeldJobs held, JobId id, Trigger trigger, Details details) throws SQLException {
        JobTraits traits = held.traits(id);
        if (traits == null) {
            return WriteResult.MISSING;
        }
        for (int look = 0; look < LOOKS_MAX; look++) {
            StateName state = SqlQueries.state(held.session(), id);
            if (!trigger.isAllowedIn(state)) {
                return new WriteResult.Stale(state);
            }
            Taken taken = take(held, id, traits, state);
            if (taken != null) {
                write(held, taken, required(Lifecycle.decide(id, taken.from(), trigger, details)));
                return WriteResult.WRITTEN;
            }
        }
        throw movedOn(id, trigger);
    }

    /** A waiting job takes over the call, the traits and the time of another; false if it does not wait any more. */
    static boolean replace(Session session, SqlKeys sqlKeys, JobId id, NewJob by) throws SQLException {
        HeldJobs held = HeldJobs.lock(session, sqlKeys, List.of(id), by.traits());
        JobTraits traits = held.traits(id);
        if (traits == null) {
            return false;
        }
        for (int look = 0; look < LOOKS_MAX; look++) {
            StateName state = SqlQueries.state(session, id);
            if (!Trigger.REPLACE.isAllowedIn(state)) {
                held.settle();
                return false;
            }
            Taken taken = take(held, id, traits, state);
            if (taken != null) {
                Instant now = KeyQueues.now(session);
                boolean later = by.due().from(now).isAfter(now);
                replace(held, taken, required(Lifecycle.replace(id, taken.from(), by.traits(), by.due(), later)), by);
                held.settle();
                return true;
            }
        }
        throw movedOn(id, Trigger.REPLACE);
    }

    private static void replace(HeldJobs held, Taken taken, Transition replaced, NewJob by) throws SQLException {
        Session session = held.session();
        boolean followed = taken.from().traits().isFollowed();
        NewJob placed = new NewJob(
                replaced.job(), by.invocation(), by.due(), by.traits().withFollowed(followed));
        body(session, replaced.job(), placed);
        if (!taken.from().traits().labels().equals(by.traits().labels())) {
            relabel(session, placed);
        }
        if (!Objects.equals(taken.from().traits().deadline(), by.traits().deadline())) {
            Deadlines.forget(session, List.of(placed.id()));
            Deadlines.keep(session, List.of(placed), Set.of(placed.id()));
        }
        leave(held, taken, replaced);
        if (by.traits().key() != null) {
            new KeyQueues(session, held.keys()).placeLocked(List.of(placed));
        } else {
            arrive(held, replaced);
        }
        count(session, replaced);
    }

    private static StorageException movedOn(JobId id, Trigger trigger) {
        return new StorageException(
                "Job " + id + " moved on each time it was found for " + trigger + ". Try again.", null, true);
    }

    private static Transition required(@Nullable Transition decided) {
        return Objects.requireNonNull(decided, "the state was asked first");
    }

    /**
     * A job that was taken out of the table that it was in.
     *
     * @param run  the run that has lost its lease by that; null if it did not run
     * @param node where that run goes on
     */
    private record Taken(
            Position from, @Nullable RunId run, @Nullable NodeId node) {
        Taken(Position from) {
            this(from, null, null);
        }
    }

    /** Takes a job out of the table of a state; null if it is not there any more. */
    private static @Nullable Taken take(HeldJobs held, JobId id, JobTraits traits, StateName state)
            throws SQLException {
        Session session = held.session();
        KeyRule rule = traits.key();
        if (state.isFinal()) {
            // the history knows how many attempts it had
            return new Taken(position(state, traits, Slot.none(rule), 0));
        }
        Left left = rule == null ? null : new KeyQueues(session, held.keys()).leave(id, rule);
        if (left != null && left.from() != StateName.PARKED) {
            return new Taken(position(left.from(), traits, Slot.LACKING, left.attempt()));
        }
        Slot slot = rule != null && left == null ? Slot.HELD : Slot.none(rule);
        try (NamedStatement leave = session.statement(leaving(state))) {
            leave.setObject("job_id", id.value());
            try (ResultSet row = leave.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                Position from = position(state, traits, slot, row.getInt(1));
                return state == StateName.PROCESSING
                        ? new Taken(from, new RunId(id, row.getLong(2)), new NodeId(row.getLong(3)))
                        : new Taken(from);
            }
        }
    }

    private static Position position(StateName state, JobTraits traits, Slot slot, int attempt) {
        return new Position(state, traits, slot, attempt, Due.NOW);
    }

    private static SqlStatement leaving(StateName state) {
        return switch (state) {
            case SCHEDULED -> SqlStatement.LEAVE_DEFERRED;
            case ENQUEUED -> SqlStatement.LEAVE_READY;
            case PROCESSING -> SqlStatement.LEAVE_LEASE;
            case PARKED -> SqlStatement.LEAVE_PARKED;
            case WAITING -> SqlStatement.LEAVE_WAITING;
            case SUCCEEDED, FAILED, CANCELLED -> throw new IllegalArgumentException(state + " has no table");
        };
    }

    private static void write(HeldJobs held, Taken taken, Transition change) throws SQLException {
        leave(held, taken, change);
        arrive(held, change);
        count(held.session(), change);
        GateCounts.count(held.session(), change);
    }

    /** What the transition does to the run, the slot and the history of a job that was taken out of its table. */
    private static void leave(HeldJobs held, Taken taken, Transition change) throws SQLException {
        Session session = held.session();
        if (change.stopsRun() && taken.run() != null && taken.node() != null) {
            SqlRuns.ask(session, List.of(taken.run()), taken.node());
        }
        if (change.trigger().forgetsSteps()) {
            SqlSteps.forget(session, change.job());
        }
        KeyRule rule = change.from().traits().key();
        if (rule != null && change.releasesSlot()) {
            held.keys().release(rule);
        }
        Event event = change.event();
        StateName next = change.to().state();
        if (event != null && next != null) {
            tell(session, change, event, next);
        }
    }

    /** Puts the job where it goes. */
    private static void arrive(HeldJobs held, Transition change) throws SQLException {
        Session session = held.session();
        Position to = change.to();
        StateName next = to.state();
        if (next == null) {
            SqlRetention.forget(session, List.of(change.job().value()));
        } else if (to.isInKeyQueue()) {
            new KeyQueues(session, held.keys()).join(change.job(), to.traits(), to.attempt());
        } else if (next == StateName.ENQUEUED) {
            ready(session, held.keys(), change);
        } else if (next == StateName.SCHEDULED) {
            defer(session, held.keys(), change);
        }
    }

    private static void ready(Session session, KeyRows keys, Transition change) throws SQLException {
        Position to = change.to();
        try (NamedStatement insert = session.statement(SqlStatement.READY_NOW)) {
            insert.setInt("lane", keys.lane(to.traits()));
            insert.setInt("priority", to.traits().priority());
            insert.setObject("job_id", change.job().value());
            insert.setInt("attempt", to.attempt());
            insert.executeUpdate();
        }
    }

    private static void defer(Session session, KeyRows keys, Transition change) throws SQLException {
        Position to = change.to();
        try (NamedStatement defer = session.statement(SqlStatement.DEFER)) {
            defer.setObject("job_id", change.job().value());
            defer.setObject("due_at", Rows.time(to.when().from(KeyQueues.now(session))));
            defer.setInt("lane", keys.lane(to.traits()));
            defer.setInt("priority", to.traits().priority());
            defer.setInt("attempt", to.attempt());
            defer.executeUpdate();
        }
    }

    private static void count(Session session, Transition change) throws SQLException {
        new Tally().of(change).write(session);
    }

    private static void body(Session session, JobId id, NewJob by) throws SQLException {
        try (NamedStatement update = session.statement(SqlStatement.REPLACE_BODY)) {
            update.setString("type", by.invocation().type());
            update.setString("method", by.invocation().method());
            update.setString("arguments", by.invocation().arguments());
            update.setInt("priority", by.priority());
            update.setString("traits", TraitsText.write(by.traits()));
            update.setObject("id", id.value());
            update.executeUpdate();
        }
    }

    private static void relabel(Session session, NewJob job) throws SQLException {
        try (NamedStatement delete = session.statement(SqlStatement.RETENTION_DELETE_LABEL)) {
            Object[] ids = {job.id().value()};
            delete.setArray("ids", session.connection().createArrayOf("UUID", ids));
            delete.executeUpdate();
        }
        Batches.label(session, List.of(job), Set.of(job.id()));
    }

    private static void tell(Session session, Transition change, Event event, StateName next) throws SQLException {
        Position from = change.from();
        Failure why = change.why();
        boolean hadEnded = Objects.requireNonNull(from.state()).isFinal();
        try (NamedStatement insert = session.statement(SqlStatement.MOVE)) {
            insert.setObject("job_id", change.job().value());
            insert.setInt("event", event.code());
            insert.setInt("next", next.code());
            insert.setObject("attempt", hadEnded ? null : from.attempt(), Types.INTEGER);
            insert.setString("by", change.details().by());
            insert.setString("error_type", why == null ? null : why.type());
            insert.setString("error_message", why == null ? null : why.message());
            insert.setString("error_trace", why == null ? null : why.trace());
            insert.executeUpdate();
        }
    }
}
