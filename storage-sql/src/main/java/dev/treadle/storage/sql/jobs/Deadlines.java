package dev.treadle.storage.sql.jobs;

import dev.treadle.job.JobId;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The rows that say until when jobs must have ended. Jobs without a deadline have none. */
public final class Deadlines {
    private Deadlines() {}

    /** Keeps the deadlines of the jobs that were not there yet. */
    public static void keep(Session session, List<NewJob> jobs, Set<JobId> fresh) throws SQLException {
        boolean any = false;
        for (NewJob job : jobs) {
            any |= job.traits().deadline() != null;
        }
        if (!any) {
            return;
        }
        try (NamedStatement insert = session.statement(SqlStatement.KEEP_DEADLINE)) {
            for (NewJob job : jobs) {
                Instant deadline = job.traits().deadline();
                if (deadline != null && fresh.contains(job.id())) {
                    insert.setObject("job_id", job.id().value());
                    insert.setObject("at", Rows.time(deadline));
                    insert.addBatch();
                }
            }
            insert.executeBatch();
        }
    }

    /** Forgets those of jobs that have passed, or that the jobs have no longer. */
    public static void forget(Session session, Collection<JobId> jobs) throws SQLException {
        try (NamedStatement delete = session.statement(SqlStatement.FORGET_DEADLINE)) {
            for (JobId job : jobs) {
                delete.setObject("job_id", job.value());
                delete.addBatch();
            }
            delete.executeBatch();
        }
    }
}
