package dev.treadle.storage.sql.admin;

import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JoinRule;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.storage.sql.jobs.Batches;
import dev.treadle.storage.sql.jobs.GateCounts;
import dev.treadle.storage.sql.jobs.SqlInserts;
import dev.treadle.storage.sql.keys.HeldJobs;
import dev.treadle.storage.sql.keys.KeyQueues;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Gates in tables. As thread-safe as its transactions. */
public final class SqlGates implements GateStorage {
    private final Transactions transactions;
    private final SqlInserts inserts;
    private final DialectStatements verbs;
    private final SqlKeys keys;
    private final BiConsumer<List<JobId>, OperatorNote> cancel;
    private final Runnable due;
    private final Runnable ended;

    /**
     * @param cancel cancels at most {@link TransactionalStorage#ACT_MAX} jobs
     * @param due    run when jobs may go on
     * @param ended  run when jobs have failed, so that the next of their keys may go on
     */
    public SqlGates(
            Transactions transactions,
            SqlInserts inserts,
            DialectStatements verbs,
            SqlKeys keys,
            BiConsumer<List<JobId>, OperatorNote> cancel,
            Runnable due,
            Runnable ended) {
        this.transactions = transactions;
        this.inserts = inserts;
        this.verbs = verbs;
        this.keys = keys;
        this.cancel = cancel;
        this.due = due;
        this.ended = ended;
    }

    @Override
    public Optional<Gate> find(GateId id) {
        return transactions.statement("look up a gate", true, session -> Optional.ofNullable(find(session, id)));
    }

    static @Nullable Gate find(Session session, GateId id) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.GATE)) {
            select.setObject("id", id.value());
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? GateRow.gate(row) : null;
            }
        }
    }

    @Override
    public Answer spawn(RunId run, String name, long from, List<NewJob> children, boolean last) {
        return inserts.with(children, "spawn children of job " + run.job(), (session, insert) -> {
            if (!holds(session, run)) {
                return new Answer.LeaseLost();
            }
            Gate gate = make(session, run.job(), name);
            if (gate.spawned() == from && gate.need() == null) {
                insert.run();
                gate = gate.withSpawned(from + children.size(), last);
                write(session, gate);
            }
            return new Answer.Written(gate);
        });
    }

    @Override
    public Answer batch(NewJob batch, long from, List<NewJob> jobs, boolean last) {
        keys.know(transactions, batch);
        return inserts.with(jobs, "put jobs into the batch " + batch.id(), (session, insert) -> {
            boolean fresh = !verbs.keep(session, List.of(batch)).isEmpty();
            HeldJobs held = HeldJobs.lock(session, keys, List.of(batch.id()));
            if (fresh) {
                SqlFollowers.suspend(held, batch);
                await(session, make(session, batch.id(), Gate.BATCH), JoinRule.ALL_END.name());
                Batches.label(session, List.of(batch), Set.of(batch.id()));
            }
            Gate gate = find(session, GateId.of(batch.id(), Gate.BATCH));
            boolean waits = SqlQueries.state(session, batch.id()) == StateName.WAITING;
            if (gate == null || gate.need() == null && !waits) {
                return new Answer.LeaseLost();
            }
            if (gate.spawned() == from && gate.need() == null) {
                insert.run();
                gate = gate.withSpawned(from + jobs.size(), last);
                write(session, gate);
                GateCounts.lookAgain(session, gate.id());
            }
            held.settle();
            return new Answer.Written(gate);
        });
    }

    private static boolean holds(Session session, RunId run) throws SQLException {
        try (NamedStatement hold = session.statement(SqlStatement.HOLD_LEASE)) {
            hold.setObject("job_id", run.job().value());
            hold.setLong("token", run.token());
            try (ResultSet row = hold.executeQuery()) {
                return row.next();
            }
        }
    }

    /** A gate of the job whose lease is held: nobody else makes one. */
    private static Gate make(Session session, JobId waiter, String name) throws SQLException {
        Gate known = find(session, GateId.of(waiter, name));
        if (known != null) {
            return known;
        }
        Gate fresh = Gate.fresh(waiter, name);
        try (NamedStatement insert = session.statement(SqlStatement.NEW_GATE)) {
            insert.setObject("id", fresh.id().value());
            insert.setObject("waiter", waiter.value());
            insert.setString("name", name);
            insert.executeUpdate();
        }
        return fresh;
    }

    private static void write(Session session, Gate gate) throws SQLException {
        try (NamedStatement update = session.statement(SqlStatement.GATE_SPAWNED)) {
            update.setLong("spawned", gate.spawned());
            update.setObject("need", gate.need(), Types.BIGINT);
            update.setObject("id", gate.id().value());
            update.executeUpdate();
        }
    }

    @Override
    public Answer await(RunId run, String name, JoinRule rule) {
        return transactions.transaction("have job " + run.job() + " wait at a gate", true, session -> {
            if (!holds(session, run)) {
                return new Answer.LeaseLost();
            }
            Gate gate = make(session, run.job(), name);
            await(session, gate, rule.name());
            return new Answer.Written(gate);
        });
    }

    private static void await(Session session, Gate gate, String rule) throws SQLException {
        try (NamedStatement update = session.statement(SqlStatement.AWAIT_GATE)) {
            update.setObject("id", gate.id().value());
            update.setString("rule", rule);
            update.setObject("waiter", gate.waiter().value());
            update.executeUpdate();
        }
    }

    @Override
    public EventAnswer awaitEvent(RunId run, String name, String type, Duration patience) {
        return transactions.transaction("have job " + run.job() + " wait for an event", true, session -> {
            if (!holds(session, run)) {
                return new EventAnswer.LeaseLost();
            }
            Gate gate = make(session, run.job(), name);
            if (gate.need() != null) {
                return new EventAnswer.Over();
            }
            Instant now = KeyQueues.now(session);
            waitUntil(session, gate, type, now.plus(patience));
            String value = EventRows.read(session, run.job(), name);
            if (value != null) {
                return new EventAnswer.Here(value);
            }
            if (GateRow.readAll(session, List.of(gate.id().value())).get(0).isOverdue(now)) {
                close(session, gate);
                return new EventAnswer.Over();
            }
            await(session, gate, GateRow.EVENT);
            return new EventAnswer.NotYet();
        });
    }

    private static void waitUntil(Session session, Gate gate, String type, Instant until) throws SQLException {
        try (NamedStatement update = session.statement(SqlStatement.EVENT_GATE)) {
            update.setObject("until", Rows.time(until));
            update.setString("event_type", type);
            update.setObject("id", gate.id().value());
            update.executeUpdate();
        }
    }

    private static void close(Session session, Gate gate) throws SQLException {
        try (NamedStatement update = session.statement(SqlStatement.EVENT_OVER)) {
            update.setObject("id", gate.id().value());
            update.executeUpdate();
        }
    }

    @Override
    public WriteResult signal(JobId job, String name, String value, @Nullable OperatorAct act) {
        return transactions.transaction("signal job " + job, false, session -> {
            if (HeldJobs.lock(session, keys, List.of(job)).traits(job) == null) {
                return WriteResult.MISSING;
            }
            StateName state = SqlQueries.state(session, job);
            Gate gate = find(session, GateId.of(job, name));
            boolean isOver = gate != null && gate.need() != null;
            if (state.isFinal() || isOver || EventRows.read(session, job, name) != null) {
                return new WriteResult.Stale(state);
            }
            EventRows.keep(session, job, name, value);
            GateCounts.lookAgain(session, GateId.of(job, name));
            if (act != null) {
                Batches.note(session, act, 1);
            }
            return WriteResult.WRITTEN;
        });
    }

    @Override
    public Opening open(int max) {
        News news = transactions.statement("look for gates", true, session -> news(session, max + 1));
        if (news.expired) {
            expire();
        }
        if (news.gates.isEmpty()) {
            return new Opening(news.expired, 0);
        }
        boolean more = news.expired || news.gates.size() > max;
        List<UUID> some = news.gates.stream().limit(max).toList();
        GateLook look = transactions.transaction(
                "look at " + some.size() + " gates", true, session -> GateLook.at(session, keys, some));
        if (look.resumed() > 0) {
            due.run();
        }
        look.toCancel().forEach(this::cancelSome);
        return new Opening(more || look.more() || !look.toCancel().isEmpty(), look.resumed());
    }

    /**
     * What has happened.
     *
     * @param expired whether the deadline of a job has passed
     */
    private record News(Set<UUID> gates, boolean expired) {}

    private void expire() {
        ExpiredJobs jobs = transactions.statement("look for deadlines", true, ExpiredJobs::read);
        int failed = transactions.transaction(
                "fail jobs whose deadline has passed", true, session -> jobs.fail(session, keys));
        if (failed > 0) {
            ended.run();
        }
    }

    private static News news(Session session, int max) throws SQLException {
        Set<UUID> gates = new HashSet<>();
        boolean expired = false;
        try (NamedStatement select = session.statement(SqlStatement.GATE_NEWS)) {
            select.setInt("max", max);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    if (row.getInt(2) == 1) {
                        expired = true;
                    } else {
                        gates.add(Rows.uuid(row, 1));
                    }
                }
            }
        }
        return new News(gates, expired);
    }

    /** The next children of a gate. That there is more to look at stays written until the last of them is cancelled. */
    private void cancelSome(GateRow row) {
        Gate gate = row.gate();
        long from = row.cancelledTo() == null ? 0 : row.cancelledTo();
        long to = Math.min(gate.spawned(), from + TransactionalStorage.ACT_MAX);
        List<JobId> children = new ArrayList<>();
        for (long child = from; child < to; child++) {
            children.add(gate.id().child(child));
        }
        cancel.accept(children, Gate.noteOfCancelled(gate));
        transactions.statement("note which children are cancelled", true, session -> {
            try (NamedStatement update = session.statement(SqlStatement.GATE_CANCELLED)) {
                update.setLong("cancelled_to", to);
                update.setObject("id", gate.id().value());
                return update.executeUpdate();
            }
        });
    }
}
