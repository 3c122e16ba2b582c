package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.RecurringStorage.Advance;
import dev.treadle.storage.sql.rows.RecurringRows;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Moves recurring jobs on in one statement over arrays. */
final class PostgresRecurring {
    private PostgresRecurring() {}

    static Set<String> advance(Session session, List<Advance> advances) throws SQLException {
        try (PreparedStatement advance = session.prepare(SqlStatement.RECURRING_ADVANCE)) {
            new PostgresArrays<>(session, advance, advances)
                    .texts(one -> one.seen().id())
                    .longs(one -> one.seen().version())
                    .times(one -> Rows.time(one.progress().next()))
                    .times(one -> Rows.time(one.progress().slot()))
                    .uuids(one -> RecurringRows.uuid(one.progress().job()))
                    .uuids(one -> RecurringRows.uuid(one.progress().awaited()));
            Set<String> moved = new HashSet<>();
            try (ResultSet rows = advance.executeQuery()) {
                while (rows.next()) {
                    moved.add(rows.getString(1));
                }
            }
            return moved;
        }
    }
}
