package dev.treadle.storage.sql.admin;

import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Details;
import dev.treadle.storage.OperatorAct;
import dev.treadle.storage.admin.Operators;
import dev.treadle.storage.sql.jobs.Batches;
import dev.treadle.storage.sql.keys.HeldJobs;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What people do, each act one transaction with its audit row. */
public final class SqlAudit implements Operators {
    private final Transactions transactions;
    private final SqlKeys keys;
    private final Runnable madeDue;

    /** @param madeDue told when an act may have made jobs due */
    public SqlAudit(Transactions transactions, SqlKeys keys, Runnable madeDue) {
        this.transactions = transactions;
        this.keys = keys;
        this.madeDue = madeDue;
    }

    @Override
    public List<WriteResult> act(OperatorAct act, List<JobId> ids) {
        if (ids.size() > JOBS_MAX) {
            throw new IllegalArgumentException(
                    "act() takes at most " + JOBS_MAX + " jobs at once, not " + ids.size() + ".");
        }
        Action action = Action.valueOf(act.action());
        Details details = Details.of(act.move());
        List<WriteResult> results = transactions.transaction(action + " " + ids.size() + " jobs", false, session -> {
            Map<JobId, WriteResult> done = new HashMap<>();
            List<JobId> sorted = ids.stream().sorted().distinct().toList();
            HeldJobs held = HeldJobs.lock(session, keys, sorted);
            // sorted here, too: two who act on the same jobs wait for each other in turn and not crosswise
            for (JobId id : sorted) {
                done.put(id, SqlOperators.change(held, id, action.trigger(), details));
            }
            held.settle();
            Batches.note(session, act, (int) done.values().stream()
                    .filter(WriteResult.Written.class::isInstance)
                    .count());
            return ids.stream().map(done::get).toList();
        });
        if (action.trigger().to() == StateName.ENQUEUED) {
            madeDue.run();
        }
        return results;
    }

    @Override
    public void note(OperatorAct act, int jobs) {
        transactions.statement("write down what was done", false, session -> {
            Batches.note(session, act, jobs);
            return true;
        });
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
