package dev.treadle.storage.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The rule that holds between any two transactions: a job that has not ended is in exactly one place, others in none; and the tally says the same. */
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

    private static final String TALLY = """
            select 'Enqueued' as state, (select count(*) from treadle_ready)
                     + (select count(*) from treadle_keyed where place is not null) as found,
                   (select coalesce(sum(enqueued), 0) from treadle_tally) as told
            union all select 'Scheduled', (select count(*) from treadle_deferred)
                     + (select count(*) from treadle_keyed where due_at is not null),
                   (select coalesce(sum(scheduled), 0) from treadle_tally)
            union all select 'Processing', (select count(*) from treadle_lease),
                   (select coalesce(sum(processing), 0) from treadle_tally)
            union all select 'Parked', (select count(*) from treadle_parked),
                   (select coalesce(sum(parked), 0) from treadle_tally)
            union all select 'all', (select count(*) from treadle_job),
                   (select coalesce(sum(coalesce(scheduled, 0) + coalesce(enqueued, 0) + coalesce(processing, 0)
                      + coalesce(succeeded, 0) + coalesce(failed, 0) + coalesce(cancelled, 0) + coalesce(parked, 0)), 0)
                      from treadle_tally)
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
                            + row.getInt("parked") + ", waiting with a key " + row.getInt("keyed")
                            + ", last told to be in state " + row.getString("next"));
                }
            }
            try (ResultSet row = statement.executeQuery(TALLY)) {
                while (row.next()) {
                    if (row.getLong("found") != row.getLong("told")) {
                        violations.add(row.getLong("found") + " jobs are " + row.getString("state")
                                + ", and the tally says " + row.getLong("told"));
                    }
                }
            }
            return violations;
        }
    }
}
