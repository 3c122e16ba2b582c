package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.enqueue.IdSource;
import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lease that its living node does not know of: the statement that made it took effect long after it was given up. */
@Timeout(120)
class UnknownLeaseTest {
    private final StorageProvider storage = new InMemoryStorageProvider();
    private final IdSource ids = new IdSource(Clock.systemUTC(), new Random(1));
    private final AtomicInteger ran = new AtomicInteger();

    /** A job that counts. */
    record Count() implements JobRequest<Void> {}

    @Test
    void its_job_runs_however_long_after_any_doubt_the_lease_comes_to_be() throws Exception {
        JobServerSettings settings = JobServerSettings.DEFAULT.withDeadAfter(Duration.ofSeconds(1));
        try (Treadle treadle = Treadle.on(storage)
                .handler(Count.class, (count, job) -> {
                    ran.incrementAndGet();
                })
                .settings(settings)
                .start()) {
            for (int late = 1; late <= 3; late++) {
                int expected = late;
                assertEquals(
                        1,
                        storage.insertLeased(
                                        treadle.server().orElseThrow().self().id(), List.of(aJob()))
                                .size());
                Await.until("the job runs", () -> ran.get() == expected);
            }
        }
        assertEquals(3, ran.get());
    }

    private NewJob aJob() {
        return new NewJob(
                ids.nextJobId(), new Invocation(Count.class.getName(), null, "{}"), Due.NOW, JobTraits.DEFAULT);
    }
}
