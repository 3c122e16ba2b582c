package dev.treadle.example.slip;

import dev.treadle.job.JobId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.YearMonth;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Which payroll runs were begun and which have ended, in a table beside the jobs, so that a process that is started again
 * goes on with the run that another one left.
 */
final class RunBook {
    private static final String TABLE = "create table if not exists payroll_run ("
            + "id uuid primary key, period varchar(7) not null, employees integer not null, folder varchar(2000) not null,"
            + " begun_at timestamp with time zone not null, ended_at timestamp with time zone)";

    private final DataSource dataSource;

    RunBook(DataSource dataSource) throws SQLException {
        this.dataSource = dataSource;
        try (Connection connection = dataSource.getConnection();
                Statement ddl = connection.createStatement()) {
            ddl.execute(TABLE);
        }
    }

    /** The run for that many employees into that folder which has not ended; else a new one. */
    PayrollRun open(YearMonth period, int employees, Path folder) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select = connection.prepareStatement("select id, period from payroll_run"
                        + " where ended_at is null and employees = ? and folder = ? order by begun_at desc limit 1")) {
            select.setInt(1, employees);
            select.setString(2, folder.toAbsolutePath().toString());
            try (ResultSet row = select.executeQuery()) {
                if (row.next()) {
                    JobId id = JobId.of(row.getObject(1, UUID.class));
                    return new PayrollRun(id, YearMonth.parse(row.getString(2)), employees, true);
                }
            }
            return begin(connection, new PayrollRun(JobId.of(UUID.randomUUID()), period, employees, false), folder);
        }
    }

    private static PayrollRun begin(Connection connection, PayrollRun run, Path folder) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into payroll_run"
                + " (id, period, employees, folder, begun_at) values (?, ?, ?, ?, current_timestamp)")) {
            insert.setObject(1, run.id().value());
            insert.setString(2, run.period().toString());
            insert.setInt(3, run.employees());
            insert.setString(4, folder.toAbsolutePath().toString());
            insert.executeUpdate();
        }
        return run;
    }

    void end(PayrollRun run) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement update = connection.prepareStatement(
                        "update payroll_run set ended_at = current_timestamp where id = ?")) {
            update.setObject(1, run.id().value());
            update.executeUpdate();
        }
    }
}
