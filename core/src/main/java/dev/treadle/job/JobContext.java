package dev.treadle.job;

import dev.treadle.transaction.TransactionCall;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What a running job can ask about itself and report. Thread-safe. */
public interface JobContext {
    /**
     * A placeholder for lambdas and method references: {@code enqueue(() -> slips.generate(42L, JobContext.SUPPLIED))}
     * stores nothing; the real context replaces it when the job runs. It is null because no method of it is ever
     * called.
     */
    @Nullable
    JobContext SUPPLIED = null;

    /**
     * The context of the job that runs on this thread: in its code, in its forks, and in interceptors around its run. On
     * threads of your own, {@linkplain #makeCurrent make it current} first.
     *
     * @throws IllegalStateException if no job runs on this thread
     */
    static JobContext current() {
        JobContext current = CurrentContext.get();
        if (current == null) {
            throw new IllegalStateException(
                    "No job runs on the thread '"
                            + Thread.currentThread().getName()
                            + "', so there is no current JobContext. Ask in the code of a job"
                            + " or in one of its forks. On a thread of your own, or in a test, call context.makeCurrent() first.");
        }
        return current;
    }

    /** As {@link #current}; null if no job runs on this thread. */
    static @Nullable JobContext currentOrNull() {
        return CurrentContext.get();
    }

    /**
     * Makes this the {@linkplain #current current} context of this thread, for threads of your own that work for the job,
     * and for tests: {@code try (Watch here = job.makeCurrent()) {…}}.
     *
     * @return brings back what was current before; close it on the same thread
     */
    default Watch makeCurrent() {
        return CurrentContext.enter(this);
    }

    /** Which job this is. */
    JobId jobId();

    /** Which attempt this is, from 1. */
    int attempt();

    /** Where it runs. */
    NodeId node();

    /** What travels with the job beside its arguments, by name: see {@link JobTraits#headers}. */
    default Map<String, String> headers() {
        return Map.of();
    }

    /**
     * Whether the job should end soon: its server is being stopped (its thread is interrupted later), it was
     * cancelled, or its time is over (its thread has been interrupted). Cheap enough for a busy loop.
     */
    boolean shouldStop();

    /** Why it should end; null while it should not. */
    default @Nullable StopReason stopReason() {
        return shouldStop() ? StopReason.SERVER_STOPS : null;
    }

    /** How long this attempt may still run, zero when its time is over; null if it has neither a timeout nor a deadline. */
    default @Nullable Duration remaining() {
        return null;
    }

    /**
     * Does something just before the job's thread is interrupted by Treadle, on another thread: for work that ignores
     * interrupts, such as most JDBC drivers ({@code job.onStop(statement::cancel)}). The interrupt comes as soon as it
     * has been done, and after 300 ms at the latest. Done at once if the job was told to end already, at most once,
     * and not at all after the returned watch was closed.
     */
    default Watch onStop(StopAction action) {
        return () -> {};
    }

    /**
     * Says how far the job is. Kept with it, behind the job's back: at most every half second, and when the attempt ends.
     *
     * @param done  how much is done, 0 or more
     * @param total how much there is to do, 0 or more; 0 if that is not known
     */
    default void progress(long done, long total) {}

    /**
     * Keeps a line with the job, written like progress. At most {@link RunNotes#LOG_LINES_MAX} lines and {@link
     * RunNotes#LOG_CHARS_MAX} characters of one attempt are kept; the last line says how many were left out.
     *
     * @param line cut after {@link RunNotes#LINE_CHARS_MAX} characters
     */
    default void log(String line) {}

    /**
     * Keeps a word about the job under a key, written like progress; the last one for each key is kept.
     *
     * @param key   at most {@link RunNotes#META_KEYS_MAX} different ones of at most
     *              {@link RunNotes#META_KEY_CHARS_MAX} characters
     * @param value cut after {@link RunNotes#LINE_CHARS_MAX} characters
     * @throws IllegalArgumentException if there are too many keys, or the key is too long
     */
    default void meta(String key, String value) {}

    /**
     * Holds a permit of each of these resources until it is closed; waits, in the order of who came first, until all are
     * free. Cancelling, a timeout and the stop of the server end the waiting. What this code holds already, or the job as
     * a whole, is not waited for again.
     *
     * @throws IllegalStateException if it holds a resource that was declared after one of these: two jobs could wait for
     *                               each other; if it is called in a fork, and the code that joins that holds one of
     *                               these, or one that was declared after it; or if the job's run has ended
     */
    default Held use(String... resources) throws InterruptedException {
        return () -> {};
    }

    /** The same with several permits of one resource; who asks for more than there is gets all there is. */
    default Held use(String resource, int amount) throws InterruptedException {
        return () -> {};
    }

    /** Does something while it holds a permit: {@code job.using("pdf", () -> render(slip))}. See {@link #use}. */
    default <T> T using(String resource, Callable<T> work) throws Exception {
        Held held = use(resource);
        try {
            return work.call();
        } finally {
            held.close();
        }
    }

    /** Does something while it holds a permit. */
    default void using(String resource, Part work) throws Exception {
        Held held = use(resource);
        try {
            work.run();
        } finally {
            held.close();
        }
    }

    /** A part of a job. */
    @FunctionalInterface
    interface Part {
        /** Does it. */
        void run() throws Exception;
    }

    /** Permits that are held; given back once, by any thread, at the latest when the run ends. */
    @FunctionalInterface
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Opens a scope in which the job does things at the same time; see {@link JobScope}. Opened within a fork, it
     * belongs to that fork. A scope that is still open when the job's code ends is closed then.
     *
     * @throws IllegalStateException if the job's run has ended
     */
    default JobScope scope() {
        throw new UnsupportedOperationException(
                "This JobContext lends no threads: a scope is opened on the one that a running job is given.");
    }

    /**
     * Does the job's work in one transaction with its success: both are committed, or neither is. What the call returns is
     * the job's result. Enqueue in the transaction with {@code jobs.in(connection)}; plain {@code jobs.enqueue(…)} on the
     * same thread takes part, too.
     *
     * <p>With the commit the job has succeeded, whatever its code does next: what it returns later is not the result, what
     * it throws later is logged, and the next job of its key may begin. If the call throws, all is rolled back and the
     * exception comes out of here. The call must not end the transaction by itself.
     *
     * @throws LeaseLostException            if the job was cancelled or taken over by another node; nothing is kept then
     * @throws IllegalStateException         in a fork or on another thread, in the call itself, after a commit of this
     *                                       run, or if the run has ended
     * @throws UnsupportedOperationException if the storage has no transactions
     */
    default <R, X extends Exception> R transaction(TransactionCall<R, X> call) throws X {
        throw noTransactions();
    }

    /**
     * The same on a connection of the application's own pool.
     *
     * @param dataSource leads to the database of the storage, and hands out connections with autocommit on
     * @throws IllegalArgumentException if it leads elsewhere
     */
    default <R, X extends Exception> R transaction(DataSource dataSource, TransactionCall<R, X> call) throws X {
        throw noTransactions();
    }

    /**
     * Does something once in the life of the job. What it returns is recorded before this returns, and given back at
     * every later run, without doing it again:
     *
     * <pre>{@code
     * Receipt paid = job.step("pay", () -> bank.charge(order, job.jobId() + "/pay"));
     * job.step("mail", () -> mailer.send(order, paid));
     * }</pre>
     *
     * <p>The name identifies the step: steps may be added, removed and moved from release to release, and one that is
     * renamed is done again. In a loop, number them: {@code job.step("page-" + n, …)}. What throws is not recorded, and
     * is done again at the next attempt. A process that dies after the work and before the record does it again too, so
     * give other systems the id of the job and the name of the step as the idempotency key.
     *
     * <p>The result is stored as JSON under the rules of a job's result, and read as the type that the code says it
     * returns; where a lambda does not say all of it, name it: {@link #step(String, StepType, StepCall)}. A result that
     * no longer fits its type parks the job.
     *
     * @param name 1 to {@link JobStep#NAME_CHARS_MAX} characters, without line breaks and other control characters
     * @return what it returned, now or when it was recorded
     * @throws StepNotKeptException     if the result cannot be recorded; unless it is caught, the job fails for good
     * @throws IllegalArgumentException if that is no name
     * @throws IllegalStateException    if this run has used the name before, the job has recorded
     *                                  {@link JobStep#STEPS_MAX} steps, or the run has ended
     * @throws LeaseLostException       if the job was cancelled or taken over by another node
     * @throws Exception                what the work throws
     */
    default <R extends @Nullable Object> R step(String name, StepCall<R> work) throws Exception {
        return work.call();
    }

    /** The same, where the type of the result has to be named: {@code new StepType<List<Page>>() {}}. */
    default <R extends @Nullable Object> R step(String name, StepType<R> type, StepCall<R> work) throws Exception {
        return work.call();
    }

    /** The same for work that returns nothing. */
    default void step(String name, Part work) throws Exception {
        work.run();
    }

    /**
     * Does a step in a transaction of the storage's database, which is committed together with the record of the step: what
     * the step writes there is there once, whatever crashes.
     *
     * <pre>{@code
     * job.step("book", connection -> ledger.book(connection, order));
     * }</pre>
     *
     * If it throws, or its result cannot be recorded, all is rolled back. It must not end the transaction by itself. Jobs
     * are enqueued in the transaction as in {@link #transaction(TransactionCall)}.
     *
     * @throws LeaseLostException            if the job was cancelled or taken over by another node; nothing is kept then
     * @throws IllegalStateException         as the other form, and in a fork, on another thread, or within a transaction of
     *                                       the job
     * @throws UnsupportedOperationException if the storage has no transactions
     */
    default <R extends @Nullable Object> R step(String name, StepTransaction<R> work) throws Exception {
        throw noTransactions();
    }

    /** The same, where the type of the result has to be named. */
    default <R extends @Nullable Object> R step(String name, StepType<R> type, StepTransaction<R> work)
            throws Exception {
        throw noTransactions();
    }

    /**
     * The same on a connection of the application's own pool.
     *
     * @param dataSource leads to the database of the storage, and hands out connections with autocommit on
     * @throws IllegalArgumentException if it leads elsewhere
     */
    default <R extends @Nullable Object> R step(String name, DataSource dataSource, StepTransaction<R> work)
            throws Exception {
        throw noTransactions();
    }

    /**
     * Spawns a job of its own, once in the life of this one: at each later run the same child is given back, as it
     * stands then.
     *
     * <pre>{@code
     * Child<Report> report = job.spawn("report", new Report(year));
     * archive.keep(report.join());
     * }</pre>
     *
     * <p>The name identifies the child, and is unique among the children and steps of the job. The child is an ordinary
     * job: other nodes may run it, and it has retries of its own. When this job is cancelled or fails for good, its
     * children are cancelled.
     *
     * @param name 1 to {@link JobStep#NAME_CHARS_MAX} characters, as that of a step
     * @throws IllegalArgumentException if that is no name
     * @throws IllegalStateException    if this run has used the name before, a step has it, or the run has ended
     * @throws LeaseLostException       if the job was cancelled or taken over by another node
     */
    default <R> Child<R> spawn(String name, JobRequest<R> request) {
        return spawn(name, request, ChildOptions.DEFAULT);
    }

    /** The same with options of the child: {@code ChildOptions.DEFAULT.withQueue("pdf")}. Later runs change nothing. */
    default <R> Child<R> spawn(String name, JobRequest<R> request, ChildOptions options) {
        throw noChildren();
    }

    /**
     * The same for many children, which are stored in batches while the stream is read. If the process dies half-way, the
     * next run goes on behind the last batch; so the stream has to give the same requests in the same order at each run.
     * Once the end of the stream was reached, later runs read at most its first element.
     */
    default <R> Children<R> spawn(String name, Stream<? extends JobRequest<R>> requests) {
        return spawn(name, requests, ChildOptions.DEFAULT);
    }

    /** The same with options of each child. */
    default <R> Children<R> spawn(String name, Stream<? extends JobRequest<R>> requests, ChildOptions options) {
        throw noChildren();
    }

    /**
     * Waits for an event from outside: what {@link dev.treadle.api.JobScheduler#signal} gives this job under this name, before
     * or after this call. While it has not come, this throws {@link JobSuspension}, as joining a child does.
     *
     * @param name     as that of a step
     * @param patience how long to wait in all, from the first call on; noticed within a few seconds
     * @return empty if it has not come in time, and then at each later run too
     * @throws IllegalStateException as {@link #spawn(String, JobRequest)}
     */
    default <T> Optional<T> await(String name, Class<T> type, Duration patience) {
        throw noChildren();
    }

    /**
     * Pauses once in the life of the job, holding no thread: the job is Scheduled for the end of the pause, and its handler is
     * called again from the top then. Throws {@link JobSuspension} while the time has not come.
     *
     * @param name as that of a step
     */
    default void sleep(String name, Duration duration) {
        throw noChildren();
    }

    private static UnsupportedOperationException noChildren() {
        return new UnsupportedOperationException(
                "This JobContext has no children: they are those of the one that a running job is given.");
    }

    private static UnsupportedOperationException noTransactions() {
        return new UnsupportedOperationException(
                "This JobContext has no transactions: they are those of the one that a running job is given.");
    }

    /** An action to run when a job should end. */
    @FunctionalInterface
    interface StopAction {
        /** Must be quick; what it throws is logged. */
        void run() throws Exception;
    }

    /** Ends an {@link #onStop} or a {@link #makeCurrent}. */
    @FunctionalInterface
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
