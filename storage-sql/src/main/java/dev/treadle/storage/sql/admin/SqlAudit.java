package dev.treadle.storage.sql.admin;

import dev.treadle.job.OperatorAct;
import dev.treadle.storage.admin.Operators;
import dev.treadle.storage.sql.jobs.Batches;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What people did. */
public final class SqlAudit implements Operators {
    private final Transactions transactions;

    public SqlAudit(Transactions transactions) {
        this.transactions = transactions;
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
            try (NamedStatement select = session.statement(SqlStatement.AUDIT)) {
                select.setLong("before", before == null ? Long.MAX_VALUE : before);
                select.setInt("max", max);
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
