package dev.treadle.storage.sql.admin;

import dev.treadle.job.JobId;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.storage.sql.jobs.Deadlines;
import dev.treadle.storage.sql.keys.HeldJobs;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.portable.GatesOfEnded;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Jobs whose deadline has passed.
 *
 * @param deadlines those of the jobs, at most {@link TransactionalStorage#ACT_MAX}
 */
record ExpiredJobs(Map<JobId, Instant> deadlines) {
    static ExpiredJobs read(Session session) throws SQLException {
        Map<JobId, Instant> deadlines = new LinkedHashMap<>();
        try (NamedStatement select = session.statement(SqlStatement.EXPIRED)) {
            select.setInt("max", TransactionalStorage.ACT_MAX);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    deadlines.put(JobId.of(Rows.uuid(row, 1)), Rows.instant(row, 2));
                }
            }
        }
        return new ExpiredJobs(deadlines);
    }

    /** Fails those that have not ended, in one transaction, and has their children cancelled. */
    int fail(Session session, SqlKeys keys) throws SQLException {
        List<JobId> failed = new ArrayList<>();
        // in the order of their ids, in which everybody locks jobs
        List<JobId> jobs = deadlines.keySet().stream().sorted().toList();
        HeldJobs held = HeldJobs.lock(session, keys, jobs);
        for (JobId job : jobs) {
            Details why = Details.expired(Objects.requireNonNull(deadlines.get(job)));
            if (SqlOperators.change(held, job, Trigger.EXPIRE, why) instanceof WriteResult.Written) {
                failed.add(job);
            }
        }
        held.settle();
        GatesOfEnded.cancel(session, failed);
        Deadlines.forget(session, jobs);
        return failed.size();
    }
}
