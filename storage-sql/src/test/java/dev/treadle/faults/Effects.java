package dev.treadle.faults;

import dev.treadle.job.JobContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The effects of jobs, in a table of the application. */
final class Effects {
    private static final String JOINED = " from treadle_history h left join (select job, count(*) as rows from "
            + FaultEffect.TABLE + " group by job) e on e.job = h.job_id where h.event = 0 and ";

    private Effects() {}

    static void write(Connection connection, FaultEffect work, JobContext job) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into " + FaultEffect.TABLE + " (n, job, attempt) values (?, ?, ?)")) {
            insert.setInt(1, work.n());
            insert.setObject(2, job.jobId().value());
            insert.setInt(3, job.attempt());
            insert.executeUpdate();
        }
    }

    static void createTable(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists " + FaultEffect.TABLE);
            statement.execute("create table " + FaultEffect.TABLE + " (n int, job uuid, attempt int)");
        }
    }

    /** Jobs that have succeeded without an effect. */
    static List<String> successesWithout(DataSource database) throws SQLException {
        return texts(database, "select h.job_id" + JOINED + "e.job is null");
    }

    /** Numbers of jobs that have more than one effect. */
    static List<String> moreThanOne(DataSource database, String which) throws SQLException {
        return texts(
                database,
                "select n from " + FaultEffect.TABLE + " where " + which
                        + " group by n having count(*) > 1 order by n");
    }

    private static List<String> texts(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }
}
