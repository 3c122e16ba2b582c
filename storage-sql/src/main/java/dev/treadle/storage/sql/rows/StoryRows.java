package dev.treadle.storage.sql.rows;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.Job;
import dev.treadle.job.JobState;
import dev.treadle.job.JobStory;
import dev.treadle.job.KeyRule;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.storage.sql.session.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the rows of {@code story.sql}: a job's body, the places where it may be, and its history. */
public final class StoryRows {
    private StoryRows() {}

    public static Optional<JobStory> read(ResultSet rows) throws SQLException {
        if (!rows.next()) {
            return Optional.empty();
        }
        Row first = Row.read(rows);
        List<HistoryEntry> history = new ArrayList<>();
        do {
            addEntry(rows, history);
        } while (rows.next());
        return Optional.of(first.with(history));
    }

    /** The job of the row at which the cursor stands, with the one history row in it. */
    public static JobStory one(ResultSet rows) throws SQLException {
        List<HistoryEntry> history = new ArrayList<>();
        addEntry(rows, history);
        return Row.read(rows).with(history);
    }

    private static void addEntry(ResultSet rows, List<HistoryEntry> history) throws SQLException {
        if (rows.getObject("token") != null) {
            history.add(entry(rows));
        }
    }

    /** What the first row tells of a job: its body and its place. */
    private record Row(Job body, Place place) {
        static Row read(ResultSet rows) throws SQLException {
            Job body = Rows.job(rows, 0, new JobState.Enqueued(Rows.instant(rows, 7)));
            KeyRule rule = body.traits().key();
            return new Row(body, Place.read(rows, rule == null ? null : rule.key()));
        }

        JobStory with(List<HistoryEntry> history) {
            HistoryEntry last = history.isEmpty() ? null : history.get(history.size() - 1);
            JobState at = place.state();
            JobState state = at != null ? explained(at, last) : stateAfter(last, body.createdAt());
            int attempt = at != null ? place.attempt() : attemptAfter(last);
            Job job = new Job(body.id(), body.invocation(), body.traits(), body.createdAt(), attempt, state);
            return new JobStory(job, history);
        }
    }

    /** Adds to Parked why it is, which its history knows. */
    private static JobState explained(JobState state, @Nullable HistoryEntry last) {
        return state instanceof JobState.Parked && last != null && last.why() != null
                ? new JobState.Parked(state.since(), last.why().message())
                : state;
    }

    /** The state of a job that is in none of the small tables: it has ended, or it is Enqueued. */
    private static JobState stateAfter(@Nullable HistoryEntry last, Instant createdAt) {
        if (last == null) {
            return new JobState.Enqueued(createdAt);
        }
        Duration ranFor = last.ranFor() == null ? Duration.ZERO : last.ranFor();
        Failure why = last.why() == null ? Failure.because("", "") : last.why();
        return switch (last.next()) {
            case SUCCEEDED -> new JobState.Succeeded(last.at(), ranFor);
            case FAILED -> new JobState.Failed(last.at(), why);
            case CANCELLED ->
                new JobState.Cancelled(
                        last.at(), last.by() == null ? "" : last.by(), last.why() == null ? null : why.message());
            case SCHEDULED, ENQUEUED, PROCESSING, PARKED, WAITING -> new JobState.Enqueued(last.at());
        };
    }

    private static int attemptAfter(@Nullable HistoryEntry last) {
        if (last == null) {
            return 0;
        }
        return switch (last.event()) {
            case COMPLETED, THREW, NODE_LOST, CANCELLED, EXPIRED -> last.attempt();
            case STOPPED, NOT_RUNNABLE, SNOOZED, SUSPENDED -> last.attempt() - 1;
            case RUN_AGAIN -> 0;
        };
    }

    private static HistoryEntry entry(ResultSet row) throws SQLException {
        Long node = row.getObject("node", Long.class);
        String errorType = row.getString("error_type");
        return new HistoryEntry(
                Event.of(row.getInt("event")),
                StateName.of(row.getInt("next")),
                row.getInt("attempt"),
                node == null ? null : new NodeId(node),
                row.getString("moved_by"),
                Rows.instantOrNull(row, row.findColumn("claimed_at")),
                Rows.instant(row, row.findColumn("at")),
                Rows.duration(row.getObject("ran_micros", Long.class)),
                errorType == null
                        ? null
                        : new Failure(errorType, row.getString("error_message"), row.getString("error_trace")));
    }

    /** One of the small tables that hold a job which has not ended; no state if it is in none of them. */
    private record Place(@Nullable JobState state, int attempt) {
        static Place read(ResultSet row, @Nullable String waitsFor) throws SQLException {
            Instant leased = Rows.instantOrNull(row, row.findColumn("lease_since"));
            if (leased != null) {
                NodeId node = new NodeId(row.getLong("lease_node"));
                return new Place(new JobState.Processing(leased, node), row.getInt("lease_attempt"));
            }
            Instant deferred = Rows.instantOrNull(row, row.findColumn("deferred_since"));
            if (deferred != null) {
                Instant dueAt = Rows.instant(row, row.findColumn("due_at"));
                return new Place(new JobState.Scheduled(deferred, dueAt), row.getInt("deferred_attempt"));
            }
            Instant waiting = Rows.instantOrNull(row, row.findColumn("waiting_since"));
            if (waiting != null) {
                return new Place(new JobState.Waiting(waiting), row.getInt("waiting_attempt"));
            }
            Instant keyed = Rows.instantOrNull(row, row.findColumn("keyed_since"));
            Instant keyedUntil = Rows.instantOrNull(row, row.findColumn("keyed_due_at"));
            if (keyed != null && keyedUntil != null) {
                return new Place(new JobState.Scheduled(keyed, keyedUntil), row.getInt("keyed_attempt"));
            }
            if (keyed != null && row.getObject("keyed_place") != null) {
                return new Place(new JobState.Enqueued(keyed, waitsFor), row.getInt("keyed_attempt"));
            }
            Instant parked = Rows.instantOrNull(row, row.findColumn("parked_since"));
            if (parked != null) {
                return new Place(new JobState.Parked(parked, ""), row.getInt("parked_attempt"));
            }
            return new Place(null, 0);
        }
    }
}
