package dev.treadle.storage.memory;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What has happened to all jobs. Guarded by the lock of its storage. */
final class MemoryHistory {
    private final Map<JobId, List<Told>> rows = new HashMap<>();

    List<HistoryEntry> of(JobId id) {
        return rows.getOrDefault(id, List.of()).stream().map(Told::entry).toList();
    }

    /** Whether it tells that this happened under this lease. */
    boolean tells(JobId id, long token, @Nullable Event event) {
        return rows.getOrDefault(id, List.of()).stream()
                .anyMatch(told -> told.token == token && told.entry.event() == event);
    }

    /**
     * Tells of a transition, if it leaves an entry.
     *
     * @param held  the lease that the job had; null if none
     * @param token for an entry that belongs to no lease
     * @return how many of those tokens were used
     */
    int tell(Transition change, @Nullable Lease held, Instant now, long token) {
        Event event = change.event();
        StateName next = change.to().state();
        if (event == null || next == null) {
            return 0;
        }
        if (change.endsAttempt() && held != null) {
            tell(now, held, event, next, change.ranFor(), change.why());
            return 0;
        }
        tell(token, now, change, event, next);
        return 1;
    }

    private void tell(
            Instant now, Lease held, Event event, StateName next, @Nullable Duration ranFor, @Nullable Failure why) {
        Job job = held.job();
        Instant claimedAt = job.state().since();
        HistoryEntry entry =
                new HistoryEntry(event, next, job.attempt(), held.node(), null, claimedAt, now, ranFor, why);
        add(job.id(), held.token(), entry);
    }

    private void tell(long token, Instant now, Transition change, Event event, StateName next) {
        int attempt = change.from().attempt();
        String by = change.details().by();
        add(
                change.job(),
                token,
                new HistoryEntry(event, next, attempt, null, by, null, now, change.ranFor(), change.why()));
    }

    private void add(JobId id, long token, HistoryEntry entry) {
        rows.computeIfAbsent(id, unseen -> new ArrayList<>()).add(new Told(token, entry));
    }

    /** The last thing that happened to a job to which something has. */
    Told last(JobId id) {
        List<Told> all = rows.getOrDefault(id, List.of());
        return all.get(all.size() - 1);
    }

    void delete(JobId id) {
        rows.remove(id);
    }

    /** A history row and the token of the lease or move it tells of. */
    record Told(long token, HistoryEntry entry) {}
}
