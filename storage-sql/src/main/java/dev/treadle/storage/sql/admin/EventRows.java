package dev.treadle.storage.sql.admin;

import dev.treadle.job.JobId;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What came for jobs from outside. */
final class EventRows {
    private EventRows() {}

    /** What came for a job under a name, as JSON; null if nothing did. */
    static @Nullable String read(Session session, JobId job, String name) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.EVENT)) {
            select.setObject("job_id", job.value());
            select.setString("name", name);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    static void keep(Session session, JobId job, String name, String value) throws SQLException {
        try (NamedStatement insert = session.statement(SqlStatement.KEEP_EVENT)) {
            insert.setObject("job_id", job.value());
            insert.setString("name", name);
            insert.setString("payload", value);
            insert.executeUpdate();
        }
    }
}
