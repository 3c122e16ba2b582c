package dev.treadle.storage.sql.admin;

import dev.treadle.job.Due;
import dev.treadle.job.Lane;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.QueueState;
import dev.treadle.job.QueueState.Pause;
import dev.treadle.storage.QueueStorage;
import dev.treadle.storage.sql.jobs.Batches;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.PreparedStatement;
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
    private final DialectStatements verbs;
    private final LaneIds lanes;
    private final Runnable ring;

    /** @param ring tells other processes to look at the queues */
    public SqlQueues(Transactions transactions, DialectStatements verbs, LaneIds lanes, Runnable ring) {
        this.transactions = transactions;
        this.verbs = verbs;
        this.lanes = lanes;
        this.ring = ring;
    }

    @Override
    public List<LaneState> lanes() {
        return transactions.statement("look for lanes", true, session -> {
            try (PreparedStatement select = session.prepare(SqlStatement.LANES);
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
    public List<Head> heads() {
        return transactions.statement("look for waiting jobs", true, verbs::heads);
    }

    @Override
    public void pause(String queue, OperatorNote move, @Nullable Due until, @Nullable OperatorAct act) {
        lanes.know(transactions, new Lane(queue, Set.of()));
        // why not repeatable with an act: it would stand there twice
        transactions.transaction("pause the queue " + queue, act == null, session -> {
            if (act != null) {
                Batches.note(session, act, 0);
            }
            try (PreparedStatement pause = session.prepare(SqlStatement.PAUSE)) {
                pause.setString(1, queue);
                pause.setObject(
                        2, until instanceof Due.At at ? Rows.time(at.instant()) : null, Types.TIMESTAMP_WITH_TIMEZONE);
                pause.setObject(3, until instanceof Due.After after ? Rows.micros(after.delay()) : null, Types.BIGINT);
                pause.setString(4, move.by());
                pause.setString(5, move.why());
                return pause.executeUpdate();
            }
        });
        ring.run();
    }

    @Override
    public boolean resume(String queue, OperatorNote move, @Nullable OperatorAct act) {
        boolean was = transactions.transaction("resume the queue " + queue, false, session -> {
            try (PreparedStatement resume = session.prepare(SqlStatement.RESUME)) {
                resume.setString(1, move.by());
                resume.setString(2, move.why());
                resume.setString(3, queue);
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
            try (PreparedStatement select = session.prepare(SqlStatement.QUEUE_STATES)) {
                select.setInt(1, QueueState.COUNTED_MAX);
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
