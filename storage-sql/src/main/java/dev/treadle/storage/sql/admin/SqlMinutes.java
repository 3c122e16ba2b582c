package dev.treadle.storage.sql.admin;

import dev.treadle.job.NodeId;
import dev.treadle.storage.NodeMinute;
import dev.treadle.storage.admin.Minutes;
import dev.treadle.storage.sql.rows.NodeRows;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.ResultSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What nodes did, minute by minute, read back. */
public final class SqlMinutes implements Minutes {
    private final Transactions transactions;

    public SqlMinutes(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public List<NodeMinute> together(Instant since) {
        return read(SqlStatement.MINUTES, since, null);
    }

    @Override
    public List<NodeMinute> of(NodeId node, Instant since) {
        return read(SqlStatement.MINUTES_OF, since, node);
    }

    private List<NodeMinute> read(SqlStatement verb, Instant since, @Nullable NodeId node) {
        return transactions.statement("read what nodes did", true, session -> {
            try (NamedStatement select = session.statement(verb)) {
                select.setObject("since", Rows.time(since));
                if (node != null) {
                    select.setLong("node", node.value());
                }
                List<NodeMinute> minutes = new ArrayList<>();
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        minutes.add(NodeRows.minute(rows));
                    }
                }
                return minutes;
            }
        });
    }
}
