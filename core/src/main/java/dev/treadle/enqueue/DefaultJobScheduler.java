package dev.treadle.enqueue;

import dev.treadle.api.Batch;
import dev.treadle.api.JobCall;
import dev.treadle.api.JobCall1;
import dev.treadle.api.JobCall2;
import dev.treadle.api.JobCall3;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.api.RecurringJobs;
import dev.treadle.api.ServiceCall;
import dev.treadle.api.ServiceCall1;
import dev.treadle.capture.Capture;
import dev.treadle.job.EnqueueResult;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobStep;
import dev.treadle.job.JobStory;
import dev.treadle.job.RunNotes;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.payload.DisplayName;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.JobQueries;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.transaction.TransactionCall;
import dev.treadle.transaction.TransactionMode;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Turns jobs into rows: captures what they call, asks the interceptors, and inserts. Thread-safe. */
public final class DefaultJobScheduler implements JobScheduler {
    private final Capture capture;
    private final SchedulerServices services;
    private final Answers answers;
    private final CallerTransactions transactions;
    /** The transaction that all calls take part in; null if each call finds its own. */
    private final @Nullable StorageAccess joined;

    private final JobOptions options;

    private DefaultJobScheduler(
            Capture capture,
            SchedulerServices services,
            Answers answers,
            CallerTransactions transactions,
            @Nullable StorageAccess joined,
            JobOptions options) {
        this.capture = capture;
        this.services = services;
        this.answers = answers;
        this.transactions = transactions;
        this.joined = joined;
        this.options = options;
    }

    /**
     * A scheduler with default options.
     *
     * @param links find the application's transactions
     */
    public static JobScheduler of(
            StorageProvider storage,
            Capture capture,
            IdSource ids,
            SchedulerServices services,
            TransactionLinks links) {
        Enqueuer enqueuer = new Enqueuer(
                JobWriter.committing(services.insert(), services.insertUnique()),
                new Enqueuer.Making(
                        ids,
                        services.interceptors(),
                        capture.declared(),
                        new DisplayName(capture::loaderOf, capture.names()),
                        capture.names()));
        return new DefaultJobScheduler(
                capture,
                services,
                new Answers(storage, services.waiters(), services.results()),
                new CallerTransactions(storage, enqueuer, links, services),
                null,
                JobOptions.DEFAULT);
    }

    /** Where a call goes now. */
    private StorageAccess access() {
        if (joined == null) {
            return transactions.access(options.transactionMode());
        }
        if (options.transactionMode() != TransactionMode.JOIN) {
            throw new IllegalArgumentException("A scheduler of jobs.in(connection) takes part in that transaction, and"
                    + " its options say TransactionMode." + options.transactionMode() + ". Leave out one of the two.");
        }
        return joined;
    }

    /** What a call reads from now. */
    private TransactionalStorage reading() {
        return joined == null ? transactions.reading(options.transactionMode()) : joined.storage();
    }

    private Enqueuer enqueuer() {
        return access().enqueuer();
    }

    @Override
    public JobScheduler with(JobOptions options) {
        return new DefaultJobScheduler(capture, services, answers, transactions, joined, options);
    }

    @Override
    public JobScheduler in(Connection connection) {
        Objects.requireNonNull(connection, "The connection is null: give the one of your transaction.");
        return new DefaultJobScheduler(
                capture, services, answers, transactions, transactions.joined(connection), options);
    }

    @Override
    public <R, X extends Exception> R transaction(DataSource dataSource, TransactionCall<R, X> call) throws X {
        Objects.requireNonNull(dataSource, "The DataSource is null: give the one that the transaction is to run on.");
        Objects.requireNonNull(call, "The call is null: give what is to be done in the transaction.");
        return transactions.run(dataSource, call);
    }

    @Override
    public JobId enqueue(JobRequest<?> request) {
        return one(capture.of(request));
    }

    @Override
    public JobId enqueue(JobCall call) {
        return one(capture.of(call, false));
    }

    @Override
    public <S> JobId enqueue(ServiceCall<S> call) {
        return one(capture.of(call, true));
    }

    @Override
    public <A> JobId enqueue(JobCall1<A> call, A argument) {
        return one(capture.of(call, false, argument));
    }

    @Override
    public <A, B> JobId enqueue(JobCall2<A, B> call, A first, B second) {
        return one(capture.of(call, false, first, second));
    }

    @Override
    public <A, B, C> JobId enqueue(JobCall3<A, B, C> call, A first, B second, C third) {
        return one(capture.of(call, false, first, second, third));
    }

    @Override
    public List<JobId> enqueueAll(Stream<? extends JobRequest<?>> requests) {
        return enqueuer().all(requests.map(capture::of), options);
    }

    @Override
    public Batch batch(String name, Stream<? extends JobRequest<?>> requests) {
        return new Batches(access(), services, this::reading).enqueue(name, requests.map(capture::of), options);
    }

    @Override
    public Batch batch(JobId id) {
        return Batches.of(id, this::reading);
    }

    @Override
    public <A> List<JobId> enqueueAll(Stream<A> items, JobCall1<A> call) {
        return enqueuer().all(items.map(item -> capture.of(call, false, item)), options);
    }

    @Override
    public <S, A> List<JobId> enqueueAll(Stream<A> items, ServiceCall1<S, A> call) {
        return enqueuer().all(items.map(item -> capture.of(call, true, item)), options);
    }

    @Override
    public JobId schedule(Instant at, JobRequest<?> request) {
        return one(at, capture.of(request));
    }

    @Override
    public JobId schedule(Instant at, JobCall call) {
        return one(at, capture.of(call, false));
    }

    @Override
    public <S> JobId schedule(Instant at, ServiceCall<S> call) {
        return one(at, capture.of(call, true));
    }

    @Override
    public <A> JobId schedule(Instant at, JobCall1<A> call, A argument) {
        return one(at, capture.of(call, false, argument));
    }

    @Override
    public <A, B> JobId schedule(Instant at, JobCall2<A, B> call, A first, B second) {
        return one(at, capture.of(call, false, first, second));
    }

    @Override
    public <A, B, C> JobId schedule(Instant at, JobCall3<A, B, C> call, A first, B second, C third) {
        return one(at, capture.of(call, false, first, second, third));
    }

    @Override
    public JobId schedule(Duration delay, JobRequest<?> request) {
        return one(delay, capture.of(request));
    }

    @Override
    public JobId schedule(Duration delay, JobCall call) {
        return one(delay, capture.of(call, false));
    }

    @Override
    public <S> JobId schedule(Duration delay, ServiceCall<S> call) {
        return one(delay, capture.of(call, true));
    }

    @Override
    public <A> JobId schedule(Duration delay, JobCall1<A> call, A argument) {
        return one(delay, capture.of(call, false, argument));
    }

    @Override
    public <A, B> JobId schedule(Duration delay, JobCall2<A, B> call, A first, B second) {
        return one(delay, capture.of(call, false, first, second));
    }

    @Override
    public <A, B, C> JobId schedule(Duration delay, JobCall3<A, B, C> call, A first, B second, C third) {
        return one(delay, capture.of(call, false, first, second, third));
    }

    @Override
    public EnqueueResult tryEnqueue(JobRequest<?> request) {
        return enqueuer().ask(capture.of(request), options);
    }

    @Override
    public EnqueueResult tryEnqueue(JobCall call) {
        return enqueuer().ask(capture.of(call, false), options);
    }

    @Override
    public <S> EnqueueResult tryEnqueue(ServiceCall<S> call) {
        return enqueuer().ask(capture.of(call, true), options);
    }

    @Override
    public <A> EnqueueResult tryEnqueue(JobCall1<A> call, A argument) {
        return enqueuer().ask(capture.of(call, false, argument), options);
    }

    @Override
    public <A, B> EnqueueResult tryEnqueue(JobCall2<A, B> call, A first, B second) {
        return enqueuer().ask(capture.of(call, false, first, second), options);
    }

    @Override
    public <A, B, C> EnqueueResult tryEnqueue(JobCall3<A, B, C> call, A first, B second, C third) {
        return enqueuer().ask(capture.of(call, false, first, second, third), options);
    }

    private JobId one(Invocation invocation) {
        return enqueuer().one(invocation, options);
    }

    private JobId one(Instant at, Invocation invocation) {
        return enqueuer().one(invocation, options.withDueAt(at));
    }

    private JobId one(Duration delay, Invocation invocation) {
        return enqueuer().one(invocation, options.withDelay(delay));
    }

    @Override
    public void recurring(String id, Schedule schedule, JobRequest<?> request) {
        recurring().declare(id, schedule, RecurringRules.DEFAULT, request);
    }

    @Override
    public void recurring(String id, Schedule schedule, JobCall call) {
        recurring().declare(id, schedule, RecurringRules.DEFAULT, call);
    }

    @Override
    public <S> void recurring(String id, Schedule schedule, ServiceCall<S> call) {
        recurring().declare(id, schedule, RecurringRules.DEFAULT, call);
    }

    @Override
    public RecurringJobs recurring() {
        return new DefaultRecurringJobs(this::access, this::reading, capture, services.due(), options, null);
    }

    @Override
    public WriteResult cancel(JobId id, String by, @Nullable String why) {
        return new JobActs(access(), services).cancel(id, by, why);
    }

    @Override
    public WriteResult runAgain(JobId id, String by, @Nullable String why) {
        return new JobActs(access(), services).runAgain(JobAction.RUN_AGAIN, id, by, why);
    }

    @Override
    public WriteResult runFromStart(JobId id, String by, @Nullable String why) {
        return new JobActs(access(), services).runAgain(JobAction.RUN_FROM_START, id, by, why);
    }

    @Override
    public WriteResult signal(JobId id, String name, Object value) {
        return new JobActs(access(), services).signal(id, name, value);
    }

    @Override
    public List<StopRequest> stillRunning() {
        return reading().runs().stillRunning();
    }

    @Override
    public Optional<RunNotes> notes(JobId id) {
        return reading().runs().notes(id);
    }

    @Override
    public List<JobStep> steps(JobId id) {
        return access().storage().runs().steps(id, 0, JobStep.STEPS_MAX);
    }

    @Override
    public List<JobId> labelled(String label) {
        return reading().queries().labelled(label, null, JobQueries.LABELLED_MAX);
    }

    @Override
    public <R> Optional<R> result(JobId id, Class<R> type) {
        return answers.result(id, type);
    }

    @Override
    public <R> CompletableFuture<Optional<R>> future(JobId id, Class<R> type) {
        return answers.future(id, type);
    }

    @Override
    public <R> Optional<R> await(JobId id, Class<R> type, Duration timeout)
            throws TimeoutException, InterruptedException {
        return answers.await(id, type, timeout);
    }

    @Override
    public Invocation resolve(Invocation stored) {
        return capture.names().here(stored);
    }

    @Override
    public Map<String, String> aliases() {
        return capture.names().aliases();
    }

    @Override
    public JobId idOf(JobRequest<?> request) {
        return Enqueuer.requiredId(capture.of(request), options, capture.names());
    }

    @Override
    public Optional<JobStory> find(JobId id) {
        return reading().queries().find(id);
    }

    @Override
    public Map<JobId, StateName> states(Collection<JobId> ids) {
        return reading().queries().states(ids);
    }
}
