package dev.treadle.api;

import dev.treadle.capture.Capture;
import dev.treadle.job.DuplicateJobException;
import dev.treadle.job.Failure;
import dev.treadle.job.IdSource;
import dev.treadle.job.JobId;
import dev.treadle.job.JobInterceptors;
import dev.treadle.job.JobNotSucceededException;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobStory;
import dev.treadle.job.NotCapturableException;
import dev.treadle.job.ResultNotKeptException;
import dev.treadle.job.RunNotes;
import dev.treadle.job.StateName;
import dev.treadle.outcome.JobWaiters;
import dev.treadle.payload.DisplayName;
import dev.treadle.payload.JsonResults;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.Due;
import dev.treadle.storage.JobQueries;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.OperatorNote;
import dev.treadle.storage.StopRequest;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.UniqueJobs;
import dev.treadle.storage.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The door for callers that have work to be done. Every enqueue commits before it returns. A job whose id was returned
 * runs at least once. Thread-safe.
 *
 * <p>A job is given as a request ({@code new GenerateSlip(42)}), as a lambda of one call
 * ({@code () -> slips.generate(42L)}, {@code s -> s.generate(42L)}) or as a method reference with its arguments
 * ({@code slips::generate, 42L}). All methods that take one throw {@link NotCapturableException} when it cannot be
 * stored, and {@link StorageException} when the storage does not say that it was kept. Under options that ask for a
 * {@linkplain JobOptions#withUnique unique} job, the id is that of the job that holds the name, and
 * {@link DuplicateJobException} is thrown when the options reject a second; {@code tryEnqueue} answers instead.
 */
public final class JobScheduler {
    private final Enqueuer enqueuer;
    private final Capture capture;
    private final StorageProvider storage;
    private final SchedulerServices around;
    private final Answers answers;
    private final JobOptions options;

    private JobScheduler(
            Enqueuer enqueuer, Capture capture, StorageProvider storage, SchedulerServices around, JobOptions options) {
        this.enqueuer = enqueuer;
        this.capture = capture;
        this.storage = storage;
        this.around = around;
        this.answers = new Answers(storage, around.awaited(), around.results());
        this.options = options;
    }

    /**
     * What lies around the door.
     *
     * @param interceptors called before and after a job is stored
     * @param awaited      finds out how jobs end
     * @param results      reads what they returned
     * @param insert       keeps jobs in one commit and gives back the ids that were there already
     * @param insertUnique keeps a unique job
     * @param due          run after another commit that made jobs due
     * @param cancelled    run after a commit that took a job from a node
     */
    public record SchedulerServices(
            JobInterceptors interceptors,
            JobWaiters awaited,
            JsonResults results,
            Function<List<NewJob>, Set<JobId>> insert,
            BiFunction<NewJob, UniqueJobs.Asked, UniqueJobs.Answer> insertUnique,
            Runnable due,
            Runnable cancelled) {}

    /** Used by the root package. */
    public static JobScheduler over(StorageProvider storage, Capture capture, IdSource ids, SchedulerServices around) {
        return new JobScheduler(
                new Enqueuer(
                        around.insert(),
                        around.insertUnique(),
                        ids,
                        around.interceptors(),
                        capture.uses(),
                        new DisplayName(capture::loaderOf)),
                capture,
                storage,
                around,
                JobOptions.DEFAULT);
    }

    /** The same door with other options for all jobs that go through it. */
    public JobScheduler with(JobOptions options) {
        return new JobScheduler(enqueuer, capture, storage, around, options);
    }

    /** Enqueues a request for its registered handler. */
    public JobId enqueue(JobRequest<?> request) {
        return enqueuer.one(capture.of(request), Due.NOW, options);
    }

    /** Enqueues the one call that a lambda makes: {@code () -> slips.generate(42L)}. */
    public JobId enqueue(JobLambda lambda) {
        return enqueuer.one(capture.of(lambda, false), Due.NOW, options);
    }

    /** Enqueues a call on a service that is supplied where the job runs: {@code s -> s.generate(42L)}. */
    public <S> JobId enqueue(TargetedLambda<S> lambda) {
        return enqueuer.one(capture.of(lambda, true), Due.NOW, options);
    }

    /** Enqueues a method reference with its argument: {@code slips::generate, 42L}. */
    public <A> JobId enqueue(ItemLambda<A> call, A argument) {
        return enqueuer.one(capture.of(call, false, argument), Due.NOW, options);
    }

    /** Enqueues a method reference with its arguments: {@code mailer::send, "a@example.org", "Hello"}. */
    public <A, B> JobId enqueue(JobCall2<A, B> call, A first, B second) {
        return enqueuer.one(capture.of(call, false, first, second), Due.NOW, options);
    }

    /** Enqueues a method reference with its arguments. */
    public <A, B, C> JobId enqueue(JobCall3<A, B, C> call, A first, B second, C third) {
        return enqueuer.one(capture.of(call, false, first, second, third), Due.NOW, options);
    }

    /**
     * Enqueues many requests, in batches of {@link StorageProvider#BATCH_MAX} that commit one by one.
     *
     * @return their ids in the order of the stream
     */
    public List<JobId> enqueueAll(Stream<? extends JobRequest<?>> requests) {
        return enqueuer.all(requests.map(capture::of), options);
    }

    /** Enqueues one job for each item: {@code ids.stream(), id -> slips.generate(id)}. */
    public <T> List<JobId> enqueueAll(Stream<T> items, ItemLambda<T> lambda) {
        return enqueuer.all(items.map(item -> capture.of(lambda, false, item)), options);
    }

    /** Enqueues one job for each item, on a service: {@code ids.stream(), (s, id) -> s.generate(id)}. */
    public <S, T> List<JobId> enqueueAll(Stream<T> items, TargetedItemLambda<S, T> lambda) {
        return enqueuer.all(items.map(item -> capture.of(lambda, true, item)), options);
    }

    /** Schedules a request for an instant, by the clock of the storage; at once if that has passed. */
    public JobId schedule(Instant at, JobRequest<?> request) {
        return enqueuer.one(capture.of(request), new Due.At(at), options);
    }

    /** Schedules the call of a lambda for an instant. */
    public JobId schedule(Instant at, JobLambda lambda) {
        return enqueuer.one(capture.of(lambda, false), new Due.At(at), options);
    }

    /** Schedules a call on a service for an instant. */
    public <S> JobId schedule(Instant at, TargetedLambda<S> lambda) {
        return enqueuer.one(capture.of(lambda, true), new Due.At(at), options);
    }

    /** Schedules a request for when some time has passed. */
    public JobId schedule(Duration delay, JobRequest<?> request) {
        return enqueuer.one(capture.of(request), new Due.After(delay), options);
    }

    /** Schedules the call of a lambda for when some time has passed. */
    public JobId schedule(Duration delay, JobLambda lambda) {
        return enqueuer.one(capture.of(lambda, false), new Due.After(delay), options);
    }

    /** Schedules a call on a service for when some time has passed. */
    public <S> JobId schedule(Duration delay, TargetedLambda<S> lambda) {
        return enqueuer.one(capture.of(lambda, true), new Due.After(delay), options);
    }

    /** As {@link #enqueue(JobRequest)}, and says what became of it when the options ask for a unique job. */
    public EnqueueResult tryEnqueue(JobRequest<?> request) {
        return enqueuer.ask(capture.of(request), Due.NOW, options);
    }

    /** As {@link #enqueue(JobLambda)}, and says what became of it. */
    public EnqueueResult tryEnqueue(JobLambda lambda) {
        return enqueuer.ask(capture.of(lambda, false), Due.NOW, options);
    }

    /** As {@link #enqueue(TargetedLambda)}, and says what became of it. */
    public <S> EnqueueResult tryEnqueue(TargetedLambda<S> lambda) {
        return enqueuer.ask(capture.of(lambda, true), Due.NOW, options);
    }

    /** As {@link #enqueue(ItemLambda, Object)}, and says what became of it. */
    public <A> EnqueueResult tryEnqueue(ItemLambda<A> call, A argument) {
        return enqueuer.ask(capture.of(call, false, argument), Due.NOW, options);
    }

    /** As {@link #schedule(Duration, JobRequest)}, and says what became of it. */
    public EnqueueResult trySchedule(Duration delay, JobRequest<?> request) {
        return enqueuer.ask(capture.of(request), new Due.After(delay), options);
    }

    /** As {@link #schedule(Duration, JobLambda)}, and says what became of it. */
    public EnqueueResult trySchedule(Duration delay, JobLambda lambda) {
        return enqueuer.ask(capture.of(lambda, false), new Due.After(delay), options);
    }

    /** As {@link #schedule(Instant, JobRequest)}, and says what became of it. */
    public EnqueueResult trySchedule(Instant at, JobRequest<?> request) {
        return enqueuer.ask(capture.of(request), new Due.At(at), options);
    }

    /** As {@link #schedule(Instant, JobLambda)}, and says what became of it. */
    public EnqueueResult trySchedule(Instant at, JobLambda lambda) {
        return enqueuer.ask(capture.of(lambda, false), new Due.At(at), options);
    }

    /**
     * Declares work that recurs: {@code recurring("nightly", Schedule.cron("0 2 * * *", zone), new Cleanup())}. Call
     * it at every start. An existing one goes on, and changes and deletions by people stay. See {@link #recurring()}
     * for everything else.
     *
     * @param id its name, which must not change from release to release
     */
    public void recurring(String id, Schedule schedule, JobRequest<?> request) {
        recurring().declare(id, schedule, RecurringRules.DEFAULT, request);
    }

    /** Declares the call of a lambda that recurs. */
    public void recurring(String id, Schedule schedule, JobLambda lambda) {
        recurring().declare(id, schedule, RecurringRules.DEFAULT, lambda);
    }

    /** Declares a call on a service that recurs. */
    public <S> void recurring(String id, Schedule schedule, TargetedLambda<S> lambda) {
        recurring().declare(id, schedule, RecurringRules.DEFAULT, lambda);
    }

    /** The recurring jobs. Jobs declared there have the options of this scheduler. */
    public RecurringJobs recurring() {
        return new RecurringJobs(storage, capture, enqueuer, around.due(), options, null);
    }

    /**
     * Cancels a job that has not ended. One that runs is interrupted within a second on whatever node it runs, and what
     * it gives back is refused; while it ignores that, it is {@linkplain #stillRunning shown as such}.
     *
     * @param by  who pauses it: a person or a program
     * @param why the reason; null if none is given
     */
    public WriteResult cancel(JobId id, String by, @Nullable String why) {
        WriteResult result = storage.cancel(id, new OperatorNote(by, why));
        around.cancelled().run();
        // it may have let the next of its key go on
        around.due().run();
        tell(id, result, StateName.CANCELLED, why);
        return result;
    }

    /**
     * Enqueues a job that has ended or is parked once more, with all its attempts before it.
     *
     * @param by  who does so
     * @param why the reason; null if none is given
     */
    public WriteResult runAgain(JobId id, String by, @Nullable String why) {
        WriteResult result = storage.runAgain(id, new OperatorNote(by, why));
        around.due().run();
        tell(id, result, StateName.ENQUEUED, why);
        return result;
    }

    private void tell(JobId id, WriteResult result, StateName to, @Nullable String why) {
        if (result instanceof WriteResult.Written) {
            around.interceptors().stateChanged(id, to, why == null ? null : Failure.because("", why));
        }
    }

    /** Runs that lost their lease (cancelled, or taken over by another node) and have not ended yet, oldest first. */
    public List<StopRequest> stillRunning() {
        return storage.runs().stillRunning();
    }

    /** What a job reported: progress, metadata and log lines. Empty if it reported nothing. */
    public Optional<RunNotes> notes(JobId id) {
        return storage.runs().notes(id);
    }

    /** Jobs with a label, newest first by their ids, at most {@link JobQueries#LABELLED_MAX}. */
    public List<JobId> labelled(String label) {
        return storage.queries().labelled(label, null, JobQueries.LABELLED_MAX);
    }

    /**
     * What a job returned.
     *
     * @param type what to read it as
     * @return empty if it has not succeeded, or returned nothing
     * @throws ResultNotKeptException if it was too large, or no data
     */
    public <R> Optional<R> result(JobId id, Class<R> type) {
        return answers.result(id, type);
    }

    /**
     * What a job will have returned, or has. Ended at once when it ends in this process, and within about 100 ms when it
     * ends in another one. Cancelling the future ends the waiting and not the job.
     *
     * @return null as its value if the job returns nothing; fails with {@link JobNotSucceededException} if the job failed
     *         for good or was cancelled, with {@link ResultNotKeptException} if the result was too large or no data, and
     *         with {@link java.util.NoSuchElementException} if there is no such job
     */
    public <R> CompletableFuture<@Nullable R> future(JobId id, Class<R> type) {
        return answers.future(id, type);
    }

    /**
     * Waits for a job's result.
     *
     * @return null if it returns nothing
     * @throws TimeoutException         if it has not ended in time; it goes on
     * @throws JobNotSucceededException if it failed for good or was cancelled
     * @throws ResultNotKeptException   if the result was too large, or not plain data
     */
    public <R> @Nullable R await(JobId id, Class<R> type, Duration patience)
            throws TimeoutException, InterruptedException {
        return answers.await(id, type, patience);
    }

    /**
     * The id that a request has or will have under the options of this door.
     *
     * @throws IllegalStateException if the options give fresh ids
     */
    public JobId idOf(JobRequest<?> request) {
        JobId id = Enqueuer.knownId(capture.of(request), options);
        if (id == null) {
            throw new IllegalStateException(
                    "These options give each job a fresh id, so it is known only when the job is"
                            + " enqueued. Use JobOptions.withIdsUnder(parent) or withId(id).");
        }
        return id;
    }

    /** One job and everything that has happened to it. */
    public Optional<JobStory> find(JobId id) {
        return storage.queries().find(id);
    }

    /** The states of jobs.
     *
     * @param ids at most {@link JobQueries#STATES_MAX}
     */
    public Map<JobId, StateName> states(Collection<JobId> ids) {
        return storage.queries().states(ids);
    }
}
