package dev.treadle.storage.sql.admin;

import dev.treadle.job.Due;
import dev.treadle.job.Lane;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.QueueState;
import dev.treadle.job.QueueState.Pause;
import dev.treadle.storage.PendingWork.LaneState;
import dev.treadle.storage.admin.QueueStorage;
import dev.treadle.storage.sql.jobs.Batches;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Queues in a SQL database, each call one statement but for what is written down of people. */
public final class SqlQueues implements QueueStorage {
    private final Transactions transactions;
    private final LaneIds lanes;
    private final Runnable ring;

    /** @param ring tells other processes to look at the queues */
    public SqlQueues(Transactions transactions, LaneIds lanes, Runnable ring) {
        this.transactions = transactions;
        this.lanes = lanes;
        this.ring = ring;
    }

    @Override
    public List<LaneState> lanes() {
        return transactions.statement("look for lanes", true, session -> {
            try (NamedStatement select = session.statement(SqlStatement.LANES);
                    ResultSet rows = select.executeQuery()) {
                List<LaneState> states = new ArrayList<>();
                while (rows.next()) {
                    states.add(new LaneState(lanes.read(rows, 1), rows.getBoolean(4)));
                }
                return states;
            }
        });
    }

    @Override
    public void pause(String queue, OperatorNote note, @Nullable Due until, @Nullable OperatorAct act) {
        lanes.know(transactions, new Lane(queue, Set.of()));
        // why not repeatable with an act: it would stand there twice
        transactions.transaction("pause the queue " + queue, act == null, session -> {
            if (act != null) {
                Batches.note(session, act, 0);
            }
            try (NamedStatement pause = session.statement(SqlStatement.PAUSE)) {
                pause.setString("queue", queue);
                pause.setObject(
                        "until",
                        until instanceof Due.At at ? Rows.time(at.instant()) : null,
                        Types.TIMESTAMP_WITH_TIMEZONE);
                pause.setObject(
                        "for_micros",
                        until instanceof Due.After after ? Rows.micros(after.delay()) : null,
                        Types.BIGINT);
                pause.setString("by", note.by());
                pause.setString("why", note.why());
                return pause.executeUpdate();
            }
        });
        ring.run();
    }

    @Override
    public boolean resume(String queue, OperatorNote note, @Nullable OperatorAct act) {
        boolean was = transactions.transaction("resume the queue " + queue, false, session -> {
            try (NamedStatement resume = session.statement(SqlStatement.RESUME)) {
                resume.setString("by", note.by());
                resume.setString("why", note.why());
                resume.setString("queue", queue);
                boolean resumed = resume.executeUpdate() == 1;
                if (resumed && act != null) {
                    Batches.note(session, act, 0);
                }
                return resumed;
            }
        });
        ring.run();
        return was;
    }

    @Override
    public List<QueueState> states() {
        return transactions.statement("look at the queues", true, session -> {
            try (NamedStatement select = session.statement(SqlStatement.QUEUE_STATES)) {
                select.setInt("counted_max", QueueState.COUNTED_MAX);
                try (ResultSet rows = select.executeQuery()) {
                    List<QueueState> states = new ArrayList<>();
                    while (rows.next()) {
                        states.add(state(rows));
                    }
                    return states;
                }
            }
        });
    }

    private static QueueState state(ResultSet row) throws SQLException {
        Instant oldest = Rows.instantOrNull(row, 3);
        Instant since = Rows.instantOrNull(row, 5);
        Duration waits = oldest == null ? null : Duration.between(oldest, Rows.instant(row, 4));
        return new QueueState(
                row.getString(1),
                row.getInt(2),
                waits == null || !waits.isNegative() ? waits : Duration.ZERO,
                since == null
                        ? null
                        : new Pause(since, row.getString(6), row.getString(7), Rows.instantOrNull(row, 8)));
    }
}
