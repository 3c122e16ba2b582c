package dev.treadle.testing;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.api.Queues;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import dev.treadle.server.ManualServer;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.JobQuery;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A Treadle for tests: jobs are kept in memory or in a database, run on the test's own thread when the test says so, and
 * time stands still until the test moves it. Handlers, activator and settings are those of the real builder:
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
    static final Duration LEAST_STEP = Duration.ofMillis(100);

    private final SettableTime time;
    private final Treadle treadle;
    private final ManualServer server;
    private final KnownJobs jobs;
    private final Faults faults;
    private final InlineRuns inline = new InlineRuns();

    private TreadleTest(
            Instant start, Function<InstantSource, AdminStorage> storages, Consumer<Treadle.Builder> configure) {
        this.time = new SettableTime(start);
        this.faults = new Faults(time);
        AdminStorage storage = storages.apply(time);
        boolean started = false;
        try {
            mustFit(storage);
            // first and last: what a fault does is outside of all other interceptors, and those are told before jobs
            // run
            Treadle.Builder builder =
                    Treadle.on(WatchedStorage.of(storage, faults)).intercept(faults);
            configure.accept(builder);
            this.treadle = builder.intercept(inline).startManually(time);
            started = true;
        } finally {
            if (!started) {
                storage.close();
            }
        }
        this.server = (ManualServer) treadle.server().orElseThrow();
        this.jobs = new KnownJobs(storage, server, treadle.jobs()::resolve);
        faults.happenTo(server, storage);
    }

    private void mustFit(AdminStorage storage) {
        Instant theirs = storage.recurring().now();
        if (!theirs.equals(now().truncatedTo(ChronoUnit.MICROS)) && !theirs.equals(now())) {
            throw new IllegalArgumentException("For this storage (" + storage.description() + ") it is " + theirs
                    + ", and for the test " + now() + ", so the test could not let time pass. Give it the time that"
                    + " TreadleTest.on hands you: SqlStorageSettings.DEFAULT.withTime(time).");
        }
        int there = storage.search().list(JobQuery.ALL, null, 1).lines().size();
        if (there > 0) {
            throw new IllegalArgumentException("There are jobs in this storage (" + storage.description()
                    + ") already. A test begins without any, because it runs and counts all that there are: give each"
                    + " test a database or a schema of its own, or empty the tables before it.");
        }
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
        return new TreadleTest(start, InMemoryStorageProvider::new, configure);
    }

    /**
     * Starts one on a database:
     *
     * <pre>{@code
     * TreadleTest.on(
     *         time -> SqlStorageProvider.using(dataSource, SqlStorageSettings.DEFAULT.withTime(time)),
     *         treadle -> treadle.handler(Welcome.class, handler))
     * }</pre>
     *
     * @param storage   makes the storage, which holds no jobs yet and takes the time from what it is given; closed with
     *                  this test
     * @param configure gives handlers, activator, settings and the like to the builder; it must not start it
     * @throws IllegalArgumentException if the storage has a time of its own, or holds jobs
     */
    public static TreadleTest on(Function<InstantSource, AdminStorage> storage, Consumer<Treadle.Builder> configure) {
        return on(storage, START, configure);
    }

    /** As {@link #on(Function, Consumer)}, starting at an instant. */
    public static TreadleTest on(
            Function<InstantSource, AdminStorage> storage, Instant start, Consumer<Treadle.Builder> configure) {
        return new TreadleTest(start, storage, configure);
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
        run(0);
        return run(jobs.in(StateName.ENQUEUED).size());
    }

    private int run(int max) {
        inline.rethrow();
        return inline.run(() -> server.run(max));
    }

    /**
     * From now on a job that is due runs as soon as it has been enqueued, on the thread that enqueues it, before that call
     * returns; so do the jobs that it enqueues. In a transaction of the caller it runs after the commit, or at the next
     * call that runs jobs where the commit is not reported, as with {@code jobs.in(connection)}. As in production the caller
     * does not see whether the job fails: {@link #assertNoFailures} does.
     *
     * @return this
     */
    public TreadleTest inline() {
        inline.begin(this::drain);
        return this;
    }

    /**
     * Plans something that goes wrong once, in the first run that comes to its place. {@link #close} fails if a fault that
     * was planned has not happened, because a test with it would have shown nothing.
     */
    public void inject(Fault fault) {
        faults.plan(fault);
    }

    /**
     * Runs a job that waits, loses its success as a crash would, and runs it again. Whether the handler may run twice is for
     * the test to say: it compares what is there afterwards with what one run makes. A job whose own {@code
     * job.transaction} has committed its success does not run again, because it never does. Other jobs that are due run too, and
     * time passes until the second run.
     *
     * @throws AssertionError if the job does not run to its end the first time, or does not succeed the second time
     */
    public void runTwice(JobId id) {
        new SecondRun(this, faults, jobs, id).run();
    }

    /**
     * Runs jobs until none is due, including those that jobs enqueue. Time does not move: retries and scheduled jobs
     * wait for {@link #advance}.
     *
     * @return how many attempts ran
     * @throws IllegalStateException if more than {@value #DRAIN_JOBS_MAX} run, as when a job enqueues itself each time
     */
    public int drain() {
        int ran = run(DRAIN_JOBS_MAX);
        if (ran >= DRAIN_JOBS_MAX && run(1) > 0) {
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
        // a run that lost its lease has let time pass by itself
        time.set(now().isAfter(end) ? now() : end);
        return ran + drain();
    }

    /** Lets time pass until something is due, and runs that; false if nothing ever is. */
    boolean advanceToNext() {
        Instant next = nextDue();
        if (next.equals(Instant.MAX)) {
            return false;
        }
        time.set(next);
        drain();
        return true;
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

    List<Job> waiting(Class<?> request) {
        return jobs.waiting(request);
    }

    <T> T request(Job job, Class<T> type) {
        return server.request(job, type);
    }

    String summary() {
        return jobs.summary();
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
                .filter(job -> jobs.calls(job, type, method))
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
        StateName found = jobs.find(id).job().state().name();
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

    /**
     * Closes the storage. Does not run jobs that wait.
     *
     * @throws AssertionError if a fault that was planned has not happened
     */
    @Override
    public void close() {
        treadle.close();
        inline.rethrow();
        String missing = faults.notHappened();
        if (!missing.isEmpty()) {
            throw new AssertionError("These faults did not happen:" + missing);
        }
    }
}
