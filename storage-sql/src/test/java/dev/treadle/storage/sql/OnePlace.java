package dev.treadle.storage.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The rule that holds between any two transactions: a job that has not ended is in exactly one place, others in none. */
public final class OnePlace {
    private static final String VIOLATIONS = """
            with one_row as (
              select id as job_id, 1 as body, 0 as ready, 0 as deferred, 0 as lease, 0 as parked,
                     0 as keyed from treadle_job
              union all select job_id, 0, 1, 0, 0, 0, 0 from treadle_ready
              union all select job_id, 0, 0, 1, 0, 0, 0 from treadle_deferred
              union all select job_id, 0, 0, 0, 1, 0, 0 from treadle_lease
              union all select job_id, 0, 0, 0, 0, 1, 0 from treadle_parked
              union all select job_id, 0, 0, 0, 0, 0, 1 from treadle_keyed where place is not null or due_at is not null),
            job as (
              select job_id, sum(body) as body, sum(ready) as ready, sum(deferred) as deferred, sum(lease) as lease,
                     sum(parked) as parked, sum(keyed) as keyed,
                     sum(ready + deferred + lease + parked + keyed) as places
                from one_row group by job_id),
            newest as (
              select job_id, max(token) as token from treadle_history group by job_id)
            select job.*, h.next
              from job
              left join newest on newest.job_id = job.job_id
              left join treadle_history h on h.job_id = newest.job_id and h.token = newest.token
             where body = 0 or places <> case when h.next in (3, 4, 5) then 0 else 1 end
            """;

    private OnePlace() {}

    /** Every job that breaks the rule, one line each; at most twenty. */
    public static List<String> violations(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.setMaxRows(20);
            List<String> violations = new ArrayList<>();
            try (ResultSet row = statement.executeQuery(VIOLATIONS)) {
                while (row.next()) {
                    violations.add("job " + row.getString("job_id") + ": ready " + row.getInt("ready") + ", deferred "
                            + row.getInt("deferred") + ", leased " + row.getInt("lease") + ", parked "
                            + row.getInt("parked") + ", waiting with a key " + row.getInt("keyed") + ", last told to be in state " + row.getString("next"));
                }
            }
            return violations;
        }
    }
}
