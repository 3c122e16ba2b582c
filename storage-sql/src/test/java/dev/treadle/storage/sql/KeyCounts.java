package dev.treadle.storage.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * The rule that holds between any two transactions on PostgreSQL: each key counts as many holders as there are jobs that
 * hold a slot, as many that wait as there are in its line, and nobody waits while there is room.
 */
public final class KeyCounts {
    private static final String VIOLATIONS = """
            with job as (
              select id, traits::json -> 'key' as key from treadle_job where traits like '%"key"%'),
            named as (
              select id, case when key ->> 'limit' is not null then 'limit '
                              when key ->> 'rate' is not null then 'rate ' else 'mailbox ' end
                         || (key ->> 'name') as line
                from job),
            placed as (
              select job_id from treadle_ready union all select job_id from treadle_deferred
              union all select job_id from treadle_lease union all select job_id from treadle_parked),
            holding as (
              select n.line, count(*) as holders
                from named n join placed on placed.job_id = n.id
               where n.line not like 'rate %'
                 and not exists (select 1 from treadle_keyed k where k.job_id = n.id)
               group by n.line),
            waiting as (
              select line, count(*) as waits from treadle_keyed where place is not null group by line)
            select coalesce(k.line, h.line, w.line) as line, k.held, h.holders, k.waiting, w.waits, k.at_most
              from treadle_key k
              full join holding h on h.line = k.line
              full join waiting w on w.line = coalesce(k.line, h.line)
             where coalesce(k.held, 0) <> coalesce(h.holders, 0)
                or coalesce(k.waiting, 0) <> coalesce(w.waits, 0)
                or k.at_most > 0 and k.waiting > 0 and k.held < k.at_most
            """;

    private KeyCounts() {}

    /** Every key that breaks the rule, one line each; at most twenty. */
    public static List<String> violations(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.setMaxRows(20);
            List<String> violations = new ArrayList<>();
            try (ResultSet row = statement.executeQuery(VIOLATIONS)) {
                while (row.next()) {
                    violations.add(row.getString("line") + ": " + row.getInt("held") + " slots are held and "
                            + row.getInt("holders") + " jobs hold one, " + row.getInt("waiting")
                            + " are said to wait and " + row.getInt("waits") + " do, at most "
                            + row.getInt("at_most"));
                }
            }
            return violations;
        }
    }
}
