package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.RecurringStorage.Advance;
import dev.treadle.storage.sql.rows.RecurringRows;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Moves recurring jobs on in one statement over arrays. */
final class PostgresRecurring {
    private PostgresRecurring() {}

    static Set<String> advance(Session session, List<Advance> advances) throws SQLException {
        try (NamedStatement advance = session.statement(SqlStatement.RECURRING_ADVANCE)) {
            new PostgresArrays<>(session, advance, advances)
                    .texts("ids", one -> one.seen().id())
                    .longs("versions", one -> one.seen().version())
                    .times("next_ats", one -> Rows.time(one.progress().next()))
                    .times("last_slots", one -> Rows.time(one.progress().slot()))
                    .uuids("last_jobs", one -> RecurringRows.uuid(one.progress().job()))
                    .uuids("awaited", one -> RecurringRows.uuid(one.progress().awaited()));
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
