package dev.treadle.faults;

import dev.treadle.job.JobId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Holds what an application and the handlers of its jobs have noted for themselves against the rows of a database. Asks by
 * SQL of its own, and shares no code with the engine.
 */
final class FailoverCheck {
    private static final String SUCCESSES = " from treadle_history where event = 0";

    private final DataSource database;
    private final Events events;

    FailoverCheck(DataSource database, Events events) {
        this.database = database;
        this.events = events;
    }

    void makeTables() throws SQLException {
        Effects.createTable(database);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists " + FailoverLoad.ORDERS);
            statement.execute("create table " + FailoverLoad.ORDERS + " (job uuid primary key)");
        }
    }

    /** Jobs that have not ended. */
    int waiting() throws SQLException {
        return number("select (select count(*) from treadle_ready) + (select count(*) from treadle_lease)"
                + " + (select count(*) from treadle_deferred) + (select count(*) from treadle_parked)");
    }

    Set<JobId> kept() throws SQLException {
        return jobs("select id from treadle_job");
    }

    Set<JobId> succeeded() throws SQLException {
        return jobs("select distinct job_id" + SUCCESSES);
    }

    /** How many endings are recorded. */
    int endings() throws SQLException {
        return number("select count(*)" + SUCCESSES);
    }

    Set<JobId> recordedTwice() throws SQLException {
        return jobs("select job_id" + SUCCESSES + " group by job_id having count(*) > 1");
    }

    /** Jobs that are kept and have no success. */
    Set<JobId> unfinished() throws SQLException {
        Set<JobId> unfinished = kept();
        unfinished.removeAll(succeeded());
        return unfinished;
    }

    /** Successes of jobs whose handler never came to its end. */
    Set<JobId> neverRan() throws SQLException {
        Set<JobId> neverRan = succeeded();
        neverRan.removeAll(events.of("END").map(Event::job).collect(Collectors.toSet()));
        return neverRan;
    }

    /** Jobs whose effect was to be committed with their success, and was not, or more than once. */
    int wrongEffects() throws SQLException {
        return number("select count(*) from treadle_job j where type like '%FaultEffect' and 1 <>"
                        + " (select count(*) from " + FaultEffect.TABLE + " e where e.job = j.id)")
                + number("select count(*) from " + FaultEffect.TABLE
                        + " e where not exists (select 1 from treadle_job j where j.id = e.job)");
    }

    /** Jobs that are there without the row of the application that was written in their transaction, or the other way round. */
    Set<JobId> halves(Set<JobId> joined) throws SQLException {
        Set<JobId> kept = kept();
        Set<JobId> orders = jobs("select job from " + FailoverLoad.ORDERS);
        return joined.stream()
                .filter(job -> kept.contains(job) != orders.contains(job))
                .collect(Collectors.toSet());
    }

    /** Those of the jobs that were started later than that. */
    Set<JobId> startedAfter(long micros, Set<JobId> of) {
        return events.of("START")
                .filter(start -> start.micros() > micros && of.contains(start.job()))
                .map(Event::job)
                .collect(Collectors.toSet());
    }

    /** Jobs whose handler came to its end more than once. */
    Set<JobId> ranTwice() {
        return events.of("END").collect(Collectors.groupingBy(Event::job, Collectors.counting())).entrySet().stream()
                .filter(entry -> entry.getValue() > 1)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Jobs whose handler was started and that the database does not know. */
    Set<JobId> startedAndUnknown() throws SQLException {
        Set<JobId> unknown = new HashSet<>(events.starts().keySet());
        unknown.removeAll(kept());
        return unknown;
    }

    private int number(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    private Set<JobId> jobs(String sql) throws SQLException {
        Set<JobId> jobs = new HashSet<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                jobs.add(JobId.of(row.getObject(1, UUID.class)));
            }
        }
        return jobs;
    }
}
