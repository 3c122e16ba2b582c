package dev.treadle;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** What the end-to-end tests ask a storage about jobs, and the settings that make them quick. */
final class Work {
    /** Quick retries, little patience, few workers. */
    static final JobServerSettings QUICK = JobServerSettings.DEFAULT
            .withWorkers(4)
            .withPollMax(Duration.ofMillis(50))
            .withStopPatience(Duration.ofSeconds(20))
            .withRetries(RetryPolicy.DEFAULT.withDelays(Duration.ofMillis(1), Duration.ofMillis(1)));

    private Work() {}

    static JobStory story(StorageProvider storage, JobId id) {
        return storage.queries().find(id).orElseThrow();
    }

    static StateName state(StorageProvider storage, JobId id) {
        return story(storage, id).job().state().name();
    }

    static void untilIn(StateName state, StorageProvider storage, JobId id) {
        Await.until("job " + id + " is " + state, () -> state(storage, id) == state);
    }

    static void untilSucceeded(StorageProvider storage, Collection<JobId> ids) {
        Await.until(
                "all of " + ids.size() + " jobs have succeeded",
                () -> storage.queries().states(ids).values().stream()
                                .filter(StateName.SUCCEEDED::equals)
                                .count()
                        == ids.size());
    }

    /** Event, attempt and next state of each row of its history: {@code THREW 1 SCHEDULED}. */
    static List<String> history(StorageProvider storage, JobId id) {
        return story(storage, id).history().stream().map(Work::row).toList();
    }

    private static String row(HistoryEntry entry) {
        return entry.event() + " " + entry.attempt() + " " + entry.next();
    }
}
