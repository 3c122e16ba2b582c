package dev.treadle.api;

import dev.treadle.job.DuplicateJobException;
import dev.treadle.job.EnqueueResult;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobNotSucceededException;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobStep;
import dev.treadle.job.JobStory;
import dev.treadle.job.NotCapturableException;
import dev.treadle.job.ResultNotKeptException;
import dev.treadle.job.RunNotes;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.JobQueries;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.transaction.TransactionCall;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues jobs and answers questions about them. An enqueue commits before it returns, and a job whose id was returned
 * runs at least once. {@link dev.treadle.Treadle#jobs()} returns it. Thread-safe.
 *
 * <p>There are six ways to say what a job does:
 *
 * <pre>{@code
 * jobs.enqueue(new GenerateSlip(42L));           // a request, run by its handler
 * jobs.enqueue(() -> slips.generate(42L));       // a lambda that makes one call
 * jobs.enqueue((Slips s) -> s.generate(42L));    // the same on a service that is supplied where the job runs
 * jobs.enqueue(slips::generate, 42L);            // a method reference with one to three arguments
 * }</pre>
 *
 * <p>{@code enqueue}, {@code schedule} and {@code tryEnqueue} take all of them. Each throws {@link NotCapturableException}
 * if the job cannot be stored, and {@link StorageException} if the storage does not confirm it. If the options ask for a
 * {@linkplain JobOptions#withUnique unique} job, the returned id is that of the job that holds the name. If they reject a
 * second job, {@link DuplicateJobException} is thrown; {@code tryEnqueue} returns an answer instead.
 */
public interface JobScheduler {
    /** Returns a scheduler that uses these options for every job. */
    JobScheduler with(JobOptions options);

    /**
     * Returns a scheduler whose calls take part in the transaction of this connection: what they write is seen by no
     * other before the commit, and never after a rollback. The caller commits the transaction and closes the
     * connection. Use what is returned on the thread of the transaction, and not after its end.
     *
     * <p>Nothing is tried again in there: a failure leaves the transaction as it was before the call, and says whether to
     * repeat the whole transaction. A job with a key locks its key until the commit, and a unique job its name. The jobs
     * start once servers find them: at once on PostgreSQL, elsewhere at the next look. {@link #transaction} and
     * {@linkplain dev.treadle.transaction.TransactionLink links} wake them everywhere.
     *
     * @throws IllegalArgumentException      if the connection is closed or read-only, has autocommit on, or leads to
     *                                       another database than the storage
     * @throws UnsupportedOperationException if the storage is no database
     */
    JobScheduler in(Connection connection);

    /**
     * Begins a transaction on a connection of this DataSource, runs the call in it, commits, and wakes the servers:
     *
     * <pre>{@code
     * jobs.transaction(dataSource, connection -> {
     *     orders.insert(connection, order);
     *     return jobs.enqueue(new SendReceipt(order.id()));
     * });
     * }</pre>
     *
     * What this scheduler enqueues on the same thread within the call takes part in the transaction, unless its
     * {@linkplain JobOptions#withTransactionMode options} say otherwise. If the call throws, all is rolled back.
     *
     * @return what the call returns
     * @throws StorageException         if the transaction could not be begun or committed, or was committed and what was to
     *                                  follow failed: the message says which
     * @throws IllegalArgumentException if the connection comes with autocommit off
     * @throws IllegalStateException    if this thread is in such a transaction already
     */
    <R, X extends Exception> R transaction(DataSource dataSource, TransactionCall<R, X> call) throws X;

    /** Enqueues a request for its registered handler. */
    JobId enqueue(JobRequest<?> request);

    /** Enqueues the call that a lambda makes: {@code () -> slips.generate(42L)}. */
    JobId enqueue(JobCall call);

    /** Enqueues a call on a service that is supplied where the job runs: {@code s -> s.generate(42L)}. */
    <S> JobId enqueue(ServiceCall<S> call);

    /** Enqueues a method reference and its argument: {@code slips::generate, 42L}. */
    <A> JobId enqueue(JobCall1<A> call, A argument);

    /** Enqueues a method reference and its two arguments: {@code mailer::send, "a@example.org", "Hello"}. */
    <A, B> JobId enqueue(JobCall2<A, B> call, A first, B second);

    /** Enqueues a method reference and its three arguments. */
    <A, B, C> JobId enqueue(JobCall3<A, B, C> call, A first, B second, C third);

    /**
     * Enqueues many requests in batches of {@link StorageProvider#BATCH_MAX}. Each batch commits by itself.
     *
     * @return their ids, in the order of the stream
     */
    List<JobId> enqueueAll(Stream<? extends JobRequest<?>> requests);

    /**
     * Enqueues many requests as one: a job without code waits until all of them have ended, and succeeds or fails then. It
     * is an ordinary job, named like the batch, that others can run {@linkplain JobOptions#after(JobId...) after}.
     *
     * <p>The stream is stored in batches of {@link StorageProvider#BATCH_MAX}, each in a commit of its own; in a transaction
     * of yours all of them are committed with it. If this process dies half-way, the job waits on and the jobs that were
     * stored run. Enqueue the batch again under the {@linkplain JobOptions#withId same id} with a stream that gives the same
     * requests in the same order, and it goes on behind the last batch; or cancel it, which cancels its jobs.
     *
     * @param name what people see
     * @throws IllegalArgumentException if the options ask for a parent of ids, a unique job, or jobs to run after
     * @throws IllegalStateException    if the batch of this id waits for its jobs no more, as when it was cancelled, or the
     *                                  stream gives fewer requests than were stored
     */
    Batch batch(String name, Stream<? extends JobRequest<?>> requests);

    /** Returns a batch that was enqueued before. Whether there is such a one is found when its progress is asked for. */
    Batch batch(JobId id);

    /** Enqueues one job for each item: {@code ids.stream(), id -> slips.generate(id)}. */
    <A> List<JobId> enqueueAll(Stream<A> items, JobCall1<A> call);

    /** Enqueues one job for each item, on a service: {@code ids.stream(), (s, id) -> s.generate(id)}. */
    <S, A> List<JobId> enqueueAll(Stream<A> items, ServiceCall1<S, A> call);

    /** Schedules a request. It becomes due at this time by the storage's clock, or at once if the time has passed. */
    JobId schedule(Instant at, JobRequest<?> request);

    /** As {@link #enqueue(JobCall)}, due at this time. */
    JobId schedule(Instant at, JobCall call);

    /** As {@link #enqueue(ServiceCall)}, due at this time. */
    <S> JobId schedule(Instant at, ServiceCall<S> call);

    /** As {@link #enqueue(JobCall1, Object)}, due at this time. */
    <A> JobId schedule(Instant at, JobCall1<A> call, A argument);

    /** As {@link #enqueue(JobCall2, Object, Object)}, due at this time. */
    <A, B> JobId schedule(Instant at, JobCall2<A, B> call, A first, B second);

    /** As {@link #enqueue(JobCall3, Object, Object, Object)}, due at this time. */
    <A, B, C> JobId schedule(Instant at, JobCall3<A, B, C> call, A first, B second, C third);

    /** Schedules a request. It becomes due after this delay. */
    JobId schedule(Duration delay, JobRequest<?> request);

    /** As {@link #enqueue(JobCall)}, due after this delay. */
    JobId schedule(Duration delay, JobCall call);

    /** As {@link #enqueue(ServiceCall)}, due after this delay. */
    <S> JobId schedule(Duration delay, ServiceCall<S> call);

    /** As {@link #enqueue(JobCall1, Object)}, due after this delay. */
    <A> JobId schedule(Duration delay, JobCall1<A> call, A argument);

    /** As {@link #enqueue(JobCall2, Object, Object)}, due after this delay. */
    <A, B> JobId schedule(Duration delay, JobCall2<A, B> call, A first, B second);

    /** As {@link #enqueue(JobCall3, Object, Object, Object)}, due after this delay. */
    <A, B, C> JobId schedule(Duration delay, JobCall3<A, B, C> call, A first, B second, C third);

    /**
     * As {@link #enqueue(JobRequest)}, but returns what happened, which matters for unique jobs. To schedule a job in
     * this way, set {@link JobOptions#withDelay} or {@link JobOptions#withDueAt}.
     */
    EnqueueResult tryEnqueue(JobRequest<?> request);

    /** As {@link #enqueue(JobCall)}, but returns what happened. */
    EnqueueResult tryEnqueue(JobCall call);

    /** As {@link #enqueue(ServiceCall)}, but returns what happened. */
    <S> EnqueueResult tryEnqueue(ServiceCall<S> call);

    /** As {@link #enqueue(JobCall1, Object)}, but returns what happened. */
    <A> EnqueueResult tryEnqueue(JobCall1<A> call, A argument);

    /** As {@link #enqueue(JobCall2, Object, Object)}, but returns what happened. */
    <A, B> EnqueueResult tryEnqueue(JobCall2<A, B> call, A first, B second);

    /** As {@link #enqueue(JobCall3, Object, Object, Object)}, but returns what happened. */
    <A, B, C> EnqueueResult tryEnqueue(JobCall3<A, B, C> call, A first, B second, C third);

    /**
     * Declares a recurring job: {@code recurring("nightly", Schedule.cron("0 2 * * *", zone), new Cleanup())}. Call this
     * at every start. A recurring job that exists already continues, and what an operator changed or deleted stays so.
     * {@link #recurring()} has all that can be done with recurring jobs.
     *
     * @param id its name, which must stay the same from release to release
     */
    void recurring(String id, Schedule schedule, JobRequest<?> request);

    /** Declares a recurring job that makes the call of a lambda. */
    void recurring(String id, Schedule schedule, JobCall call);

    /** Declares a recurring job that makes a call on a service. */
    <S> void recurring(String id, Schedule schedule, ServiceCall<S> call);

    /** Returns the recurring jobs. Those declared there get the options of this scheduler. */
    RecurringJobs recurring();

    /**
     * Cancels a job that has not ended. A running job is interrupted within a second, whichever node runs it, and its
     * result is refused. While it ignores the interrupt, {@link #stillRunning} lists it.
     *
     * @param by  who cancels it: a person or a program
     * @param why the reason; null if none is given
     */
    WriteResult cancel(JobId id, String by, @Nullable String why);

    /**
     * Enqueues a job again that has ended or is parked. Its earlier attempts stay in its history, and its recorded {@link
     * dev.treadle.job.JobContext#step steps} are not done again.
     *
     * @param by  who does so
     * @param why the reason; null if none is given
     */
    WriteResult runAgain(JobId id, String by, @Nullable String why);

    /** As {@link #runAgain}, but its recorded steps are forgotten, so that each is done again. */
    WriteResult runFromStart(JobId id, String by, @Nullable String why);

    /**
     * Gives a job the event that it {@linkplain dev.treadle.job.JobContext#await awaits} under a name, or will await. It is
     * kept until then; the first one of a name counts.
     *
     * @param value stored as JSON, under the rules of a job's result
     * @return Stale if the job has ended, has had this event before, or waited for it until its time was over
     * @throws IllegalArgumentException if the value cannot be stored, or that is no name
     */
    WriteResult signal(JobId id, String name, Object value);

    /** Lists runs that lost their lease (cancelled, or taken over by another node) and have not ended yet, oldest first. */
    List<StopRequest> stillRunning();

    /** Returns what a job reported about itself: its progress and its log lines. Empty if it reported nothing. */
    Optional<RunNotes> notes(JobId id);

    /** Lists the recorded steps of a job, in the order in which they were recorded. */
    List<JobStep> steps(JobId id);

    /** Lists jobs that have a label, newest first, at most {@link JobQueries#LABELLED_MAX}. */
    List<JobId> labelled(String label);

    /**
     * Reads what a job returned.
     *
     * @param type the type to read it as
     * @return empty if the job has not succeeded, or returned nothing
     * @throws ResultNotKeptException if the result was too large or could not be stored
     */
    <R> Optional<R> result(JobId id, Class<R> type);

    /**
     * Returns a future of a job's result. It completes at once if the job ends in this process, and about 100 ms later
     * if it ends in another one. Cancelling the future does not cancel the job.
     *
     * @return a future of the result, which is empty if the job returns nothing. It fails with
     *         {@link JobNotSucceededException} if the job failed for good or was cancelled, with
     *         {@link ResultNotKeptException} if the result was too large or could not be stored, and with
     *         {@link java.util.NoSuchElementException} if there is no such job
     */
    <R> CompletableFuture<Optional<R>> future(JobId id, Class<R> type);

    /**
     * Waits for a job to end and reads what it returned.
     *
     * @return empty if the job returns nothing
     * @throws TimeoutException         if it has not ended in this time; the job continues
     * @throws JobNotSucceededException if it failed for good or was cancelled
     * @throws ResultNotKeptException   if the result was too large or could not be stored
     */
    <R> Optional<R> await(JobId id, Class<R> type, Duration timeout) throws TimeoutException, InterruptedException;

    /**
     * Returns the id that this request gets under the options of this scheduler.
     *
     * @throws IllegalStateException if these options give every job a new id
     */
    JobId idOf(JobRequest<?> request);

    /**
     * Returns what a stored job calls, under the names that the class and the method have in this process. Both differ from
     * what is stored where a class has a {@linkplain dev.treadle.job.JobType name} of its own, or was renamed. The
     * arguments stay as they are stored.
     */
    Invocation resolve(Invocation stored);

    /**
     * Returns the {@linkplain Invocation#target targets} that {@link #resolve} changes, each with what it stands for in
     * this process. That of a class stands for all calls of it. Requests are known here once they are handled or enqueued.
     */
    Map<String, String> aliases();

    /** Finds a job with its history. */
    Optional<JobStory> find(JobId id);

    /**
     * Returns the states of jobs; ids of unknown jobs are missing from the map.
     *
     * @param ids at most {@link JobQueries#STATES_MAX}
     */
    Map<JobId, StateName> states(Collection<JobId> ids);
}
