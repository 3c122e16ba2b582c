package dev.treadle.outcome;

import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Completion;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Jobs that callers in this process wait for. One that ends here is told at once; the others are looked for in the
 * storage, many in one statement. One loop takes turns; thread-safe.
 */
public final class JobWaiters {
    /** How long to rest between two looks for up to {@link RunStorage#RUNS_MAX} jobs, in milliseconds. */
    static final long LOOK_EVERY_MILLIS = 100;

    private static final Duration UNTIL_NUDGED = Duration.ofSeconds(5);

    private final StorageProvider storage;
    private final Runnable nudge;
    private final Map<JobId, Waiting> waiting = new ConcurrentHashMap<>();

    /** @param nudge ends the rest of the loop that takes turns */
    public JobWaiters(StorageProvider storage, Runnable nudge) {
        this.storage = storage;
        this.nudge = nudge;
    }

    /**
     * How a job ends. Completed on the thread that finds it out, so what depends on it must be quick or run elsewhere.
     *
     * @return fails with {@link NoSuchElementException} if there is no such job; a caller that stops waiting cancels it
     */
    public CompletableFuture<Completion> of(JobId id) {
        CompletableFuture<Completion> mine = new CompletableFuture<>();
        Waiting joined = waiting.compute(id, (key, before) -> {
            Waiting one = before == null ? new Waiting() : before;
            one.users++;
            return one;
        });
        joined.ended.whenComplete((ended, failed) -> {
            if (failed == null) {
                mine.complete(ended);
            } else {
                mine.completeExceptionally(failed);
            }
        });
        mine.whenComplete((ended, failed) -> leave(id, joined));
        nudge.run();
        return mine;
    }

    private void leave(JobId id, Waiting one) {
        waiting.computeIfPresent(id, (key, present) -> present == one && --one.users == 0 ? null : present);
    }

    /** Called with every ending that was written in this process. */
    public void written(Transition ending) {
        if (waiting.isEmpty() || !ending.next().isFinal()) {
            return;
        }
        Waiting one = waiting.get(ending.lease().job().id());
        if (one != null) {
            one.ended.complete(new Completion(ending.next(), ending.result(), ending.why()));
        }
    }

    /** Looks for those that have ended elsewhere. */
    public Duration turn() {
        List<JobId> ids = new ArrayList<>(waiting.keySet());
        for (int from = 0; from < ids.size(); from += RunStorage.RUNS_MAX) {
            look(ids.subList(from, Math.min(ids.size(), from + RunStorage.RUNS_MAX)));
        }
        return ids.isEmpty()
                ? UNTIL_NUDGED
                : Duration.ofMillis(LOOK_EVERY_MILLIS * (1 + ids.size() / RunStorage.RUNS_MAX));
    }

    private void look(List<JobId> ids) {
        Map<JobId, Completion> endings = storage.runs().endings(ids);
        List<JobId> fresh = new ArrayList<>();
        for (JobId id : ids) {
            Waiting one = waiting.get(id);
            Completion ended = endings.get(id);
            if (one != null && ended != null) {
                one.ended.complete(ended);
            } else if (one != null && !one.known) {
                fresh.add(id);
            }
        }
        if (!fresh.isEmpty()) {
            refuseUnknown(fresh);
        }
    }

    private void refuseUnknown(List<JobId> fresh) {
        Map<JobId, StateName> states = storage.queries().states(fresh);
        for (JobId id : fresh) {
            Waiting one = waiting.get(id);
            if (one == null) {
                continue;
            }
            one.known = true;
            if (!states.containsKey(id)) {
                one.ended.completeExceptionally(new NoSuchElementException(
                        "There is no job " + id + ": it was never enqueued, or it ended long ago and was deleted."));
            }
        }
    }

    /** Ends all waiting, as when the process closes. */
    public void close() {
        waiting.values()
                .forEach(one -> one.ended.completeExceptionally(
                        new IllegalStateException("Treadle was closed while the job was awaited.")));
    }

    /** Those who wait for one job. */
    private static final class Waiting {
        private final CompletableFuture<Completion> ended = new CompletableFuture<>();
        /** Changed within the map's compute only. */
        private int users;
        /** Whether the job was seen to be there. */
        private volatile boolean known;
    }
}
