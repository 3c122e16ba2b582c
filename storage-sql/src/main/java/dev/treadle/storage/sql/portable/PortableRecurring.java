package dev.treadle.storage.sql.portable;

import dev.treadle.storage.RecurringStorage.Advance;
import dev.treadle.storage.sql.rows.RecurringRows;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Moves recurring jobs on one by one. */
final class PortableRecurring {
    private PortableRecurring() {}

    static Set<String> advance(Session session, List<Advance> advances) throws SQLException {
        Set<String> moved = new HashSet<>();
        try (NamedStatement advance = session.statement(SqlStatement.RECURRING_ADVANCE)) {
            for (Advance one : advances) {
                RecurringRows.progress(advance, one.progress());
                advance.setString("id", one.seen().id());
                advance.setLong("version", one.seen().version());
                advance.addBatch();
            }
            int[] counts = advance.executeBatch();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] == 1) {
                    moved.add(advances.get(i).seen().id());
                }
            }
            return moved;
        }
    }
}
