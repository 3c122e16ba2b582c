package dev.treadle.storage.sql.admin;

import dev.treadle.job.JobId;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.Operators;
import dev.treadle.storage.WriteResult;
import dev.treadle.storage.sql.jobs.Batches;
import dev.treadle.storage.sql.keys.HeldJobs;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What people do, each act one transaction with its audit row. */
public final class SqlAudit implements Operators {
    private final Transactions transactions;
    private final SqlKeys keys;
    private final LaneIds lanes;
    private final Runnable madeDue;

    /** @param madeDue told when an act may have made jobs due */
    public SqlAudit(Transactions transactions, SqlKeys keys, LaneIds lanes, Runnable madeDue) {
        this.lanes = lanes;
        this.transactions = transactions;
        this.keys = keys;
        this.madeDue = madeDue;
    }

    @Override
    public List<WriteResult> act(Act act, List<JobId> ids) {
        if (ids.size() > JOBS_MAX) {
            throw new IllegalArgumentException(
                    "act() takes at most " + JOBS_MAX + " jobs at once, not " + ids.size() + ".");
        }
        Action action = Action.valueOf(act.action());
        List<WriteResult> results = transactions.transaction(action + " " + ids.size() + " jobs", false, session -> {
            Map<JobId, WriteResult> done = new HashMap<>();
            List<JobId> sorted = ids.stream().sorted().distinct().toList();
            HeldJobs held = HeldJobs.lock(session, keys, sorted);
            // sorted here, too: two who act on the same jobs wait for each other in turn and not crosswise
            for (JobId id : sorted) {
                done.put(id, moved(held, action, id, act));
            }
            held.settle();
            note(session, act, (int) done.values().stream()
                    .filter(WriteResult.Written.class::isInstance)
                    .count());
            return ids.stream().map(done::get).toList();
        });
        if (action == Action.RUN_AGAIN || action == Action.RUN_NOW) {
            madeDue.run();
        }
        return results;
    }

    private static WriteResult moved(HeldJobs held, Action action, JobId id, Act act) throws SQLException {
        return switch (action) {
            case RUN_AGAIN -> SqlOperators.runAgain(held, id, act.move());
            case RUN_NOW -> SqlOperators.runNow(held, id);
            case CANCEL -> SqlOperators.cancel(held, id, act.move());
            case DELETE -> SqlOperators.delete(held, id);
        };
    }

    @Override
    public void insert(Act act, NewJob job) {
        lanes.know(transactions, job.lane());
        transactions.transaction("keep a job for " + act.move().by(), false, session -> {
            Batches.label(session, List.of(job), keys.insert(session, List.of(job)));
            note(session, act, 1);
            return true;
        });
        madeDue.run();
    }

    @Override
    public void note(Act act, int jobs) {
        transactions.statement("write down what was done", false, session -> {
            note(session, act, jobs);
            return true;
        });
    }

    static void note(Session session, Act act, int jobs) throws SQLException {
        try (PreparedStatement insert = session.prepare(SqlStatement.NOTE)) {
            insert.setString(1, act.move().by());
            insert.setString(2, act.action());
            insert.setString(3, act.target());
            insert.setString(4, act.move().why());
            insert.setInt(5, jobs);
            insert.executeUpdate();
        }
    }

    @Override
    public List<Done> audit(@Nullable Long before, int max) {
        return transactions.statement("look at what was done", true, session -> {
            try (PreparedStatement select = session.prepare(SqlStatement.AUDIT)) {
                select.setLong(1, before == null ? Long.MAX_VALUE : before);
                select.setInt(2, max);
                List<Done> done = new ArrayList<>();
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        done.add(new Done(
                                rows.getLong(1),
                                Rows.instant(rows, 2),
                                rows.getString(3),
                                rows.getString(4),
                                rows.getString(5),
                                rows.getString(6),
                                rows.getInt(7)));
                    }
                }
                return done;
            }
        });
    }
}
