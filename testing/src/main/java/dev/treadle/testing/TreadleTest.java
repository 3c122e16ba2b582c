package dev.treadle.testing;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.api.Queues;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import dev.treadle.server.ManualServer;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A Treadle for tests: jobs are kept in memory, run on the test's own thread when the test says so, and time stands still
 * until the test moves it. Handlers, activator and settings are those of the real builder:
 *
 * <pre>{@code
 * try (TreadleTest test = TreadleTest.with(treadle -> treadle.handler(Welcome.class, handler))) {
 *     signUp(test.jobs(), "ada@example.org");                   // the code under test enqueues
 *     test.assertEnqueued(Welcome.class, welcome -> welcome.mail().equals("ada@example.org"));
 *     test.drain();                                             // runs the job, and what it enqueues
 *     test.advance(Duration.ofDays(3));                         // a reminder that was scheduled runs
 *     test.assertNoFailures();
 * }
 * }</pre>
 *
 * <p>One test uses one. The methods that run jobs run them one after another, in the order in which a server claims them;
 * code under test may enqueue from any thread. Two runs of the same test get the same ids and the same delays.
 */
public final class TreadleTest implements AutoCloseable {
    /** Most jobs that one call of {@link #drain} runs without time passing, in jobs. */
    public static final int DRAIN_JOBS_MAX = 10_000;

    /** What time it is at the start, unless the test says otherwise. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** How far time moves where something is due and nothing runs, so that it does not stand still for ever. */
    private static final Duration LEAST_STEP = Duration.ofMillis(100);

    private final SettableTime time;
    private final Treadle treadle;
    private final ManualServer server;
    private final KnownJobs jobs;

    private TreadleTest(Instant start, Consumer<Treadle.Builder> configure) {
        this.time = new SettableTime(start);
        InMemoryStorageProvider storage = new InMemoryStorageProvider(time);
        Treadle.Builder builder = Treadle.on(storage);
        configure.accept(builder);
        this.treadle = builder.startManually(time);
        this.server = (ManualServer) treadle.server().orElseThrow();
        this.jobs = new KnownJobs(storage, server);
    }

    /**
     * Starts one at {@link #START}.
     *
     * @param configure gives handlers, activator, settings and the like to the builder; it must not start it
     */
    public static TreadleTest with(Consumer<Treadle.Builder> configure) {
        return startingAt(START, configure);
    }

    /** Starts one at an instant, such as the night in which clocks change. */
    public static TreadleTest startingAt(Instant start, Consumer<Treadle.Builder> configure) {
        return new TreadleTest(start, configure);
    }

    /** The Treadle under test, for code that takes one. Closed with this test. */
    public Treadle treadle() {
        return treadle;
    }

    /** Enqueues jobs; what the code under test gets. */
    public JobScheduler jobs() {
        return treadle.jobs();
    }

    /** Pauses and resumes queues. */
    public Queues queues() {
        return treadle.queues();
    }

    /** What time it is for jobs, schedules and retries. */
    public Instant now() {
        return time.instant();
    }

    /**
     * Runs as many jobs as are due now. Jobs that these enqueue wait for the next call, unless they come before others
     * by their priority or because their queue is served next.
     *
     * @return how many attempts ran
     */
    public int runDueJobs() {
        // promotes what is due, so that it is counted
        server.run(0);
        int due = jobs.in(StateName.ENQUEUED).size();
        return server.run(due);
    }

    /**
     * Runs jobs until none is due, including those that jobs enqueue. Time does not move: retries and scheduled jobs
     * wait for {@link #advance}.
     *
     * @return how many attempts ran
     * @throws IllegalStateException if more than {@value #DRAIN_JOBS_MAX} run, as when a job enqueues itself each time
     */
    public int drain() {
        int ran = server.run(DRAIN_JOBS_MAX);
        if (ran == DRAIN_JOBS_MAX && server.run(1) == 1) {
            throw new IllegalStateException("drain() ran " + (ran + 1) + " jobs and more are due. Does a job enqueue"
                    + " itself again and again? Use runDueJobs() to run one generation of jobs. " + jobs.summary());
        }
        return ran;
    }

    /**
     * Lets time pass. What becomes due in that time runs when its time comes, in order: scheduled jobs, retries,
     * recurring jobs, and what those enqueue. What is due now runs first. Ended jobs are kept, however old they become.
     *
     * @return how many attempts ran
     * @throws IllegalArgumentException if {@code passing} is negative
     * @throws IllegalStateException    as in {@link #drain}
     */
    public int advance(Duration passing) {
        if (passing.isNegative()) {
            throw new IllegalArgumentException("advance(" + passing + ") would turn time back, and time only passes.");
        }
        Instant end = now().plus(passing);
        int ran = drain();
        for (Instant next; !(next = nextDue()).isAfter(end); ) {
            time.set(next);
            ran += drain();
        }
        time.set(end);
        return ran + drain();
    }

    /** When something is due next; the end of time if nothing is. */
    private Instant nextDue() {
        return server.untilNextDue()
                .map(until -> now().plus(until.isZero() ? LEAST_STEP : until))
                .orElse(Instant.MAX);
    }

    /** Requests of a type that wait to run, now or later, in the order in which they were enqueued. */
    public <T extends JobRequest<?>> List<T> enqueued(Class<T> request) {
        return jobs.waiting(request).stream()
                .map(job -> server.request(job, request))
                .toList();
    }

    /**
     * Asserts that at least one request of this type waits to run, now or later.
     *
     * @return the first of them
     */
    public Job assertEnqueued(Class<? extends JobRequest<?>> request) {
        List<Job> found = jobs.waiting(request);
        if (found.isEmpty()) {
            throw new AssertionError("No " + request.getSimpleName() + " is enqueued. " + jobs.summary());
        }
        return found.get(0);
    }

    /**
     * Asserts that at least one request of this type that matches waits to run, now or later.
     *
     * @return the first of them
     */
    public <T extends JobRequest<?>> Job assertEnqueued(Class<T> request, Predicate<? super T> matches) {
        List<Job> found = jobs.waiting(request);
        for (Job job : found) {
            if (matches.test(server.request(job, request))) {
                return job;
            }
        }
        throw new AssertionError(
                found.isEmpty()
                        ? "No " + request.getSimpleName() + " is enqueued. " + jobs.summary()
                        : "None of the " + found.size() + " enqueued " + request.getSimpleName() + " matches: "
                                + enqueued(request));
    }

    /** Asserts that so many requests of this type wait to run, now or later. */
    public void assertEnqueued(int count, Class<? extends JobRequest<?>> request) {
        int found = jobs.waiting(request).size();
        if (found != count) {
            throw new AssertionError("Expected " + count + " enqueued " + request.getSimpleName() + ", found " + found
                    + ". " + jobs.summary());
        }
    }

    /**
     * Asserts that a call of this method waits to run, now or later: one that was enqueued as a lambda or as a method
     * reference.
     *
     * @return the first of them
     */
    public Job assertCallEnqueued(Class<?> type, String method) {
        return jobs.waiting().stream()
                .filter(job -> KnownJobs.calls(job, type, method))
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "No call of " + type.getSimpleName() + "#" + method + " is enqueued. " + jobs.summary()));
    }

    /** Asserts that no job waits to run, neither now nor later. */
    public void assertNothingEnqueued() {
        List<Job> waiting = jobs.waiting();
        if (!waiting.isEmpty()) {
            throw new AssertionError("Expected no enqueued job, found " + waiting.size() + ". " + jobs.summary());
        }
    }

    /** Asserts that a job is in a state. */
    public void assertState(StateName state, JobId id) {
        StateName found = treadle.jobs()
                .find(id)
                .orElseThrow(() -> new AssertionError("There is no job " + id + ". " + jobs.summary()))
                .job()
                .state()
                .name();
        if (found != state) {
            throw new AssertionError(
                    "Expected job " + id + " to be " + state + ", and it is " + found + "." + jobs.failureOf(id));
        }
    }

    /** Asserts that no attempt of any job failed, and that no job is parked because nothing here can run it. */
    public void assertNoFailures() {
        String failures = jobs.failures();
        if (!failures.isEmpty()) {
            throw new AssertionError("Jobs failed:" + failures);
        }
    }

    /** Drops all jobs. Does not run those that wait. */
    @Override
    public void close() {
        treadle.close();
    }
}
