package dev.treadle.contracts.storage;

import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.RetryPolicy;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * New jobs as tests speak of them, with ids that are the same in every run and grow from one job to the next.
 * Thread-safe.
 *
 * <pre>{@code
 * Jobs jobs = new Jobs();
 * storage.insert(List.of(jobs.anEnqueuedJob(), jobs.aJobDueIn(Duration.ofHours(1)), jobs.withPriority(-5)));
 * }</pre>
 */
public final class Jobs {
    /** A wait that no test lives to see the end of. */
    public static final Duration LONG = Duration.ofDays(300);

    private static final Invocation USUAL = new Invocation("com.acme.Slips", "generate(long)", "[42]");

    /** What jobs call unless the test says something else. */
    public static final String TARGET = USUAL.target();

    private final AtomicLong made = new AtomicLong();

    /** Starts with the first id. */
    public Jobs() {}

    /** An id that no job has yet: version 7, greater than all before it. */
    public JobId nextId() {
        long n = made.incrementAndGet();
        return new JobId(new UUID(0x0199_0000_0000_7000L + (n << 16), 0x8000_0000_0000_0000L | n));
    }

    /** A job that is due now. */
    public NewJob anEnqueuedJob() {
        return aJob(USUAL, Due.NOW, JobTraits.DEFAULT);
    }

    /** Jobs that are due now. */
    public List<NewJob> enqueuedJobs(int count) {
        return Stream.generate(this::anEnqueuedJob).limit(count).toList();
    }

    /** A job that is due when this much time has passed in the storage. */
    public NewJob aJobDueIn(Duration delay) {
        return aJob(USUAL, new Due.After(delay), JobTraits.DEFAULT);
    }

    /** A job that is due at an instant of the storage's clock. */
    public NewJob aJobDueAt(Instant instant) {
        return aJob(USUAL, new Due.At(instant), JobTraits.DEFAULT);
    }

    /** A job that is due now and has a priority. */
    public NewJob withPriority(int priority) {
        return withPriority(priority, Due.NOW);
    }

    /** A job that has a priority and a time. */
    public NewJob withPriority(int priority, Due due) {
        return aJob(USUAL, due, JobTraits.DEFAULT.withPriority(priority));
    }

    /** A job that is due now and has a retry policy of its own. */
    public NewJob withRetries(RetryPolicy retries) {
        return aJob(USUAL, Due.NOW, JobTraits.DEFAULT.withRetries(retries));
    }

    /** A job that is due now and has these arguments. */
    public NewJob withArguments(String arguments) {
        return calling(USUAL.type(), USUAL.method(), arguments);
    }

    /** A job that is due now and calls something else. */
    public NewJob calling(String type, @Nullable String method, String arguments) {
        return aJob(new Invocation(type, method, arguments), Due.NOW, JobTraits.DEFAULT);
    }

    /** A job that is due now and asks for more than the usual. */
    public NewJob withTraits(JobTraits traits) {
        return aJob(USUAL, Due.NOW, traits);
    }

    private NewJob aJob(Invocation invocation, Due due, JobTraits traits) {
        return new NewJob(nextId(), invocation, due, traits);
    }
}
