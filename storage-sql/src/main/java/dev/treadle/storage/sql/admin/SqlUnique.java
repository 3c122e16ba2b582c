package dev.treadle.storage.sql.admin;

import dev.treadle.job.EnqueueResult;
import dev.treadle.job.EnqueueResult.Answer;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.UniqueTerms;
import dev.treadle.lifecycle.UniqueTerms.Asked;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.storage.sql.jobs.Batches;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which name. A name is locked before any row of a job, and one call locks one name. Whether its job still
 * stands in the way is looked up when the next comes, so no ending has to give a name back.
 */
public final class SqlUnique {
    /** Most names that one transaction looks at. */
    private static final int CHUNK = 500;

    /** A name or its job moves on while it is looked at: how often to look again. */
    private static final int LOOKS_MAX = 10;

    private final Transactions transactions;
    private final DialectStatements verbs;
    private final SqlKeys keys;
    private final Consumer<NewJob> placed;

    /** @param placed told of a job after the commit that kept it, or put it in the place of another */
    public SqlUnique(Transactions transactions, DialectStatements verbs, SqlKeys keys, Consumer<NewJob> placed) {
        this.transactions = transactions;
        this.verbs = verbs;
        this.keys = keys;
        this.placed = placed;
    }

    /** See {@link TransactionalStorage#insertUnique}. */
    public EnqueueResult insert(NewJob job, Asked asked) {
        keys.know(transactions, job);
        EnqueueResult answer = transactions.transaction(
                "insert a job under the name '" + asked.name() + "'",
                true,
                session -> insert(session, verbs, keys, job, asked));
        if (answer.answer() == Answer.ENQUEUED || answer.answer() == Answer.REPLACED) {
            placed.accept(job);
        }
        return answer;
    }

    public static EnqueueResult insert(Session session, DialectStatements verbs, SqlKeys keys, NewJob job, Asked asked)
            throws SQLException {
        Instant now = KeyQueues.now(session);
        UniqueTerms mine = UniqueTerms.of(asked, now);
        for (int look = 0; look < LOOKS_MAX; look++) {
            Held held = hold(session, asked.name());
            if (held == null) {
                if (take(session, asked.name(), new Held(job.id(), mine))) {
                    keep(session, verbs, keys, job);
                    return new EnqueueResult(Answer.ENQUEUED, job.id());
                }
                continue;
            }
            EnqueueResult answer = meet(session, verbs, keys, new Meeting(job, asked, held, now));
            if (answer != null) {
                return answer;
            }
        }
        throw new StorageException(
                "The job that holds the name '" + asked.name() + "' moved on each time it was looked at. Try again.",
                null,
                true);
    }

    /** Null if the holder moved on while it was to be replaced. */
    private static @Nullable EnqueueResult meet(Session session, DialectStatements verbs, SqlKeys keys, Meeting meeting)
            throws SQLException {
        NewJob job = meeting.job();
        Asked asked = meeting.asked();
        Held held = meeting.held();
        Instant now = meeting.now();
        Map<JobId, StateName> states = SqlQueries.states(session, List.of(held.job(), job.id()));
        if (states.containsKey(job.id())) {
            return new EnqueueResult(Answer.ENQUEUED, job.id());
        }
        StateName state = states.get(held.job());
        UniqueTerms mine = UniqueTerms.of(asked, now);
        if (!held.terms().hold(state, now)) {
            give(session, asked.name(), new Held(job.id(), mine));
            keep(session, verbs, keys, job);
            return new EnqueueResult(Answer.ENQUEUED, job.id());
        }
        Answer kind = UniqueTerms.conflict(asked.onConflict(), state);
        if (kind == Answer.REPLACED) {
            if (!SqlOperators.replace(session, keys, held.job(), job)) {
                return null;
            }
            give(session, asked.name(), new Held(held.job(), mine));
        }
        return new EnqueueResult(kind, held.job());
    }

    private static void keep(Session session, DialectStatements verbs, SqlKeys keys, NewJob job) throws SQLException {
        Set<JobId> fresh =
                job.traits().key() == null ? verbs.insert(session, List.of(job)) : keys.insert(session, List.of(job));
        if (fresh.isEmpty()) {
            throw new SQLException("job " + job.id() + " came in by another way at the same time", "40001");
        }
        Batches.describe(session, List.of(job), fresh);
    }

    private static @Nullable Held hold(Session session, String name) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.HOLD_NAME)) {
            select.setString("name", name);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? Held.read(row, 1) : null;
            }
        }
    }

    private static boolean take(Session session, String name, Held held) throws SQLException {
        try (NamedStatement insert = session.statement(SqlStatement.TAKE_NAME)) {
            insert.setString("name", name);
            held.set(insert);
            return insert.executeUpdate() == 1;
        }
    }

    private static void give(Session session, String name, Held held) throws SQLException {
        try (NamedStatement update = session.statement(SqlStatement.GIVE_NAME)) {
            held.set(update);
            update.setString("name", name);
            update.executeUpdate();
        }
    }

    /** Forgets names whose job blocks no other job; the last one looked at, or null at the end. */
    public @Nullable String forget(String after) {
        return transactions.transaction("look for names that nobody holds", true, session -> {
            List<String> names = new ArrayList<>();
            List<Held> held = new ArrayList<>();
            try (NamedStatement select = session.statement(SqlStatement.NAMES)) {
                select.setString("after", after);
                select.setInt("max", CHUNK);
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        names.add(rows.getString(1));
                        held.add(Held.read(rows, 2));
                    }
                }
            }
            if (!names.isEmpty()) {
                forget(session, names, held);
            }
            return names.size() < CHUNK ? null : names.get(names.size() - 1);
        });
    }

    private static void forget(Session session, List<String> names, List<Held> held) throws SQLException {
        Instant now = KeyQueues.now(session);
        Map<JobId, StateName> states = SqlQueries.states(
                session, held.stream().map(Held::job).distinct().toList());
        try (NamedStatement delete = session.statement(SqlStatement.FORGET_NAME)) {
            boolean any = false;
            for (int i = 0; i < names.size(); i++) {
                JobId job = held.get(i).job();
                if (held.get(i).terms().areOver(states.get(job), now)) {
                    delete.setString("name", names.get(i));
                    delete.setObject("job_id", job.value());
                    delete.addBatch();
                    any = true;
                }
            }
            if (any) {
                delete.executeBatch();
            }
        }
    }

    /** A job that asks for a name which another holds. */
    private record Meeting(NewJob job, Asked asked, Held held, Instant now) {}

    /** The job that holds a name, and its terms. */
    private record Held(JobId job, UniqueTerms terms) {
        static Held read(ResultSet row, int column) throws SQLException {
            return new Held(
                    JobId.of(Rows.uuid(row, column)),
                    new UniqueTerms(row.getBoolean(column + 1), Rows.instantOrNull(row, column + 2)));
        }

        void set(NamedStatement statement) throws SQLException {
            statement.setObject("job_id", job.value());
            statement.setBoolean("while_running", terms.whileRunning());
            statement.setObject("held_until", Rows.time(terms.until()), Types.TIMESTAMP_WITH_TIMEZONE);
        }
    }
}
