package dev.treadle.storage;

import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.RetryPolicy;
import dev.treadle.lifecycle.Lease;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Leases that tests of single parts need, made without a storage. */
public final class Leases {
    public static final NodeId NODE = new NodeId(7);
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private Leases() {}

    /** The lease of the numbered job in its first attempt. */
    public static Lease number(int number) {
        return of(number, new Invocation("com.acme.Greet", null, "{}"), 1, null);
    }

    /** A lease of job 1 in the given attempt. */
    public static Lease inAttempt(int attempt, @Nullable RetryPolicy retries) {
        return of(1, new Invocation("com.acme.Greet", null, "{}"), attempt, retries);
    }

    /** A lease of job 1 that calls something in its first attempt. */
    public static Lease calling(Invocation invocation) {
        return of(1, invocation, 1, null);
    }

    private static Lease of(int number, Invocation invocation, int attempt, @Nullable RetryPolicy retries) {
        JobId id = JobId.of(new UUID(0, number));
        return new Lease(
                new Job(
                        id,
                        invocation,
                        JobTraits.DEFAULT.withRetries(retries),
                        NOW,
                        attempt,
                        new JobState.Processing(NOW, NODE)),
                number);
    }
}
