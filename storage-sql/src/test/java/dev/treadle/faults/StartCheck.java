package dev.treadle.faults;

import dev.treadle.job.JobId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Holds what workers say they started against what the database says became of it. Shares no code with the engine. */
final class StartCheck {
    private record Row(JobId job, int attempt, int event, long atMicros) {}

    private record Run(JobId job, int attempt) {}

    private final List<Row> history;
    private final List<Event> starts;

    private StartCheck(List<Row> history, List<Event> starts) {
        this.history = history;
        this.starts = starts;
    }

    static StartCheck of(DataSource database, Events events) throws SQLException {
        List<Row> history = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select job_id, attempt, event, at from treadle_history")) {
            while (row.next()) {
                Instant at = row.getObject(4, OffsetDateTime.class).toInstant();
                history.add(new Row(
                        JobId.of(row.getObject(1, UUID.class)),
                        row.getInt(2),
                        row.getInt(3),
                        ChronoUnit.MICROS.between(Instant.EPOCH, at)));
            }
        }
        return new StartCheck(history, events.of("START").toList());
    }

    /** Jobs that were started more often than attempts of them ended: a start that nobody accounts for. */
    List<JobId> startedMoreOftenThanTold() {
        Map<JobId, Integer> left = new HashMap<>();
        history.forEach(row -> left.merge(row.job(), 1, Integer::sum));
        starts.forEach(start -> left.merge(start.job(), -1, Integer::sum));
        return left.entrySet().stream()
                .filter(entry -> entry.getValue() < 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Starts after the job's success was recorded, by attempts whose lease was never taken away: there may be none. */
    List<Event> startsAfterSuccess() {
        Set<Run> lost = lostRuns();
        return late().stream()
                .filter(start -> !lost.contains(new Run(start.job(), start.attempt())))
                .toList();
    }

    /** Starts after the job's success was recorded, by a node that did not yet know that its lease had been taken away. */
    int zombieStarts() {
        return late().size() - startsAfterSuccess().size();
    }

    /** Jobs that were started by attempts whose lease was taken away, sooner or later. */
    Set<JobId> startedAndLost() {
        Set<Run> lost = lostRuns();
        return starts.stream()
                .filter(start -> lost.contains(new Run(start.job(), start.attempt())))
                .map(Event::job)
                .collect(Collectors.toSet());
    }

    private List<Event> late() {
        Map<JobId, Long> succeeded = new HashMap<>();
        history.stream().filter(row -> row.event() == 0).forEach(row -> succeeded.put(row.job(), row.atMicros()));
        return starts.stream()
                .filter(start -> start.micros() > succeeded.getOrDefault(start.job(), Long.MAX_VALUE))
                .toList();
    }

    private Set<Run> lostRuns() {
        Set<Run> lost = new HashSet<>();
        history.stream().filter(row -> row.event() == 2).forEach(row -> lost.add(new Run(row.job(), row.attempt())));
        return lost;
    }

    /** How often jobs were started beyond the first time. */
    int reruns() {
        return starts.size() - (int) starts.stream().map(Event::job).distinct().count();
    }

    /** Attempts that ended with the loss of their node. */
    int lost() {
        return (int) history.stream().filter(row -> row.event() == 2).count();
    }
}
