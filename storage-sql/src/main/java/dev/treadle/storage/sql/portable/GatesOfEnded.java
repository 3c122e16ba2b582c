package dev.treadle.storage.sql.portable;

import dev.treadle.job.JobId;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.SQLException;
import java.util.Collection;

/** What becomes of the gates of jobs that have failed or were cancelled, in the transaction in which they did. */
public final class GatesOfEnded {
    private GatesOfEnded() {}

    /** Has their children cancelled that have not ended by now. */
    public static void cancel(Session session, Collection<JobId> waiters) throws SQLException {
        if (waiters.isEmpty()) {
            return;
        }
        Object[] ids = waiters.stream().map(JobId::value).toArray();
        try (NamedStatement update = session.statement(SqlStatement.CANCEL_AT_GATES)) {
            update.setArray("waiters", session.connection().createArrayOf("UUID", ids));
            if (update.executeUpdate() == 0) {
                return;
            }
        }
        try (NamedStatement insert = session.statement(SqlStatement.LOOK_AT_GATES)) {
            insert.setArray("waiters", session.connection().createArrayOf("UUID", ids));
            insert.executeUpdate();
        }
    }
}
