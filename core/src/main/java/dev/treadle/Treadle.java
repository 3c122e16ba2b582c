package dev.treadle;

import dev.treadle.api.JobScheduler;
import dev.treadle.api.Queues;
import dev.treadle.capture.Capture;
import dev.treadle.capture.Supply;
import dev.treadle.commit.OpenBlocks;
import dev.treadle.discovery.ChosenExecutor;
import dev.treadle.discovery.ExecutorDiscovery;
import dev.treadle.engine.AwaitLoop;
import dev.treadle.engine.ChosenExecutors;
import dev.treadle.engine.DefaultJobServer;
import dev.treadle.engine.Environment;
import dev.treadle.engine.HealthCheck;
import dev.treadle.engine.LocalServer;
import dev.treadle.engine.ManualJobServer;
import dev.treadle.enqueue.DefaultJobScheduler;
import dev.treadle.enqueue.DefaultQueues;
import dev.treadle.enqueue.IdSource;
import dev.treadle.enqueue.SchedulerServices;
import dev.treadle.enqueue.SpawnedJobs;
import dev.treadle.enqueue.TransactionLinks;
import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.health.Verdict;
import dev.treadle.invoke.ConstructorActivator;
import dev.treadle.invoke.Handlers;
import dev.treadle.invoke.Invoker;
import dev.treadle.invoke.JobInterceptors;
import dev.treadle.invoke.RetryRules;
import dev.treadle.invoke.RunOptions;
import dev.treadle.job.ChunkHandler;
import dev.treadle.job.JobActivator;
import dev.treadle.job.JobInterceptor;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.JobResult;
import dev.treadle.job.JobTypes;
import dev.treadle.job.ResultHandler;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.RetryRule;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.JsonResults;
import dev.treadle.payload.TargetRules;
import dev.treadle.server.JobServer;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.ManualServer;
import dev.treadle.storage.StorageProvider;
import dev.treadle.transaction.TransactionLink;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * A job scheduler on one storage, with or without a server in this process:
 *
 * <pre>{@code
 * try (Treadle treadle = Treadle.on(SqlStorageProvider.h2File(Path.of("jobs")))
 *         .handler(Greet.class, (greet, job) -> System.out.println("Hello " + greet.name()))
 *         .start()) {
 *     treadle.jobs().enqueue(new Greet("world"));
 *     …
 * }
 * }</pre>
 *
 * <p>There is no static state: one process may hold several. Thread-safe.
 */
public final class Treadle implements AutoCloseable {
    private final StorageProvider storage;
    private final JobScheduler jobs;
    private final Queues queues;
    private final LocalServer server;
    private final AwaitLoop await;
    private final HealthCheck health;

    private Treadle(StorageProvider storage, JobScheduler jobs, LocalServer server, AwaitLoop await) {
        this.storage = storage;
        this.jobs = jobs;
        this.queues = DefaultQueues.of(storage, server::queuesChanged);
        this.server = server;
        this.await = await;
        this.health = HealthCheck.of(storage, server);
    }

    /** Starts to build a Treadle on a storage. Closing the Treadle closes the storage too. */
    public static Builder on(StorageProvider storage) {
        return new Builder(storage);
    }

    /** Returns the scheduler, which enqueues jobs and answers questions about them. */
    public JobScheduler jobs() {
        return jobs;
    }

    /** Returns the queues: what waits in them, and how to pause them. */
    public Queues queues() {
        return queues;
    }

    /** Returns the storage that keeps the jobs. */
    public StorageProvider storage() {
        return storage;
    }

    /** Returns the server in this process; empty if this process only enqueues, or its server was not started yet. */
    public Optional<JobServer> server() {
        return server.latest();
    }

    /**
     * Starts the server of a Treadle that was {@linkplain Builder#build built} without one, or closed it, as a new node.
     *
     * @throws IllegalStateException if one runs, or this Treadle only enqueues or is closed
     */
    public JobServer startServer() {
        return server.start();
    }

    /** Returns the {@linkplain #health(Duration) verdict}, after 5 s at most. */
    public Verdict health() {
        return health(HealthCheck.PATIENCE);
    }

    /**
     * Returns whether jobs run as they should, on all servers of this storage and in this process, and why. It asks the
     * storage a few short questions, which callers at the same time share; that it does not answer is a verdict too.
     *
     * @param patience how long to wait for the storage, 1 ms to 1 min
     * @throws IllegalArgumentException if that is out of range; nothing else is thrown
     */
    public Verdict health(Duration patience) {
        return health.verdict(patience);
    }

    /** Stops the server gracefully and closes the storage. A second close does nothing. */
    @Override
    public void close() {
        try {
            server.close();
        } finally {
            health.close();
            await.close();
            storage.close();
        }
    }

    /** Builds a Treadle. Not thread-safe. */
    public static final class Builder {
        private final StorageProvider storage;
        private final Set<String> packages = new LinkedHashSet<>();
        private Handlers handlers = Handlers.none();
        private JobActivator activator = new ConstructorActivator();
        private Supplier<ChosenExecutor> executor = () -> new ExecutorDiscovery().byPriority();
        private JobServerSettings settings = JobServerSettings.DEFAULT;
        private RetryRules rules = RetryRules.byPolicy();
        private JobInterceptors interceptors = JobInterceptors.NONE;
        private boolean loggingContext = true;
        private int resultBytesMax = JobResult.RESULT_BYTES_MAX;
        private final Environment environment = Environment.real();
        private final OpenBlocks blocks = new OpenBlocks();
        private TransactionLinks transactions = TransactionLinks.NONE;
        private int argumentBytesMax = JsonArguments.ARGUMENT_BYTES_MAX;

        private Builder(StorageProvider storage) {
            this.storage = storage;
        }

        /**
         * Runs all jobs of a request type with this handler: {@code handler(Greet.class, (greet, job) -> …)}. For requests
         * that return something use {@link #resultHandler(Class, ResultHandler)}.
         *
         * @throws IllegalArgumentException if the type has a handler already
         */
        public <T extends JobRequest<Void>> Builder handler(Class<T> request, JobRequestHandler<T> handler) {
            handlers = handlers.with(request, handler);
            return this;
        }

        /** Runs all jobs of a request type with instances of this class, which the activator supplies. */
        public <T extends JobRequest<Void>> Builder handler(
                Class<T> request, Class<? extends JobRequestHandler<T>> handler) {
            handlers = handlers.with(request, handler);
            return this;
        }

        /**
         * Runs all jobs of a request type with this handler, and keeps what it returns:
         * {@code resultHandler(Add.class, (add, job) -> add.a() + add.b())}.
         */
        public <T extends JobRequest<R>, R> Builder resultHandler(Class<T> request, ResultHandler<T, R> handler) {
            handlers = handlers.withResult(request, handler);
            return this;
        }

        /** Runs all jobs of a request type with instances of this class, and keeps what they return. */
        public <T extends JobRequest<R>, R> Builder resultHandler(
                Class<T> request, Class<? extends ResultHandler<T, R>> handler) {
            handlers = handlers.withResult(request, handler);
            return this;
        }

        /**
         * Runs jobs of a request type together, in calls for many jobs: see {@link ChunkHandler}.
         *
         * @param jobs     most jobs of one call, 1 to {@link ChunkHandler#JOBS_MAX}
         * @param patience how long the first job waits for others, at most {@link ChunkHandler#PATIENCE_MAX}
         */
        public <T extends JobRequest<R>, R> Builder chunkHandler(
                Class<T> request, int jobs, Duration patience, ChunkHandler<T, R> handler) {
            handlers = handlers.withChunks(request, jobs, patience, handler);
            return this;
        }

        /** Supplies handlers and the objects that lambdas call; by default through their plain constructors. */
        public Builder activator(JobActivator activator) {
            this.activator = activator;
            return this;
        }

        /**
         * Packages, with those below them, whose methods lambdas and method references may call. Without any, every type
         * of the application may be called, and a line at the start recommends a list.
         *
         * @throws IllegalArgumentException at {@link #start} if it is a package of the JDK or of a driver
         */
        public Builder allow(String... packages) {
            this.packages.addAll(Arrays.asList(packages));
            return this;
        }

        /** Adds names under which jobs are stored, beside those of {@link dev.treadle.job.JobType} on requests with handlers. */
        public Builder types(JobTypes types) {
            handlers = handlers.with(types);
            return this;
        }

        /** Chooses the executor by name ({@code pool}, {@code virtual} …) instead of by priority. */
        public Builder executor(String name) {
            this.executor = () -> new ExecutorDiscovery().byName(name);
            return this;
        }

        /** Uses this executor instead of the registered one with the highest priority. */
        public Builder executor(JobRunrExecutor executor) {
            this.executor = () -> ExecutorDiscovery.given(executor);
            return this;
        }

        /** Sets how many jobs run at once, which queues are served, which resources there are, and more. */
        public Builder settings(JobServerSettings settings) {
            this.settings = settings;
            return this;
        }

        /** Decides by exception about retries, for types that {@link #retry} does not name; by default the job's policy does. */
        public Builder retryRule(RetryRule rule) {
            this.rules = rules.otherwise(rule);
            return this;
        }

        /**
         * Tries jobs that fail with this exception, or with a subtype, again under this policy instead of their own. If
         * several types match, the most specific one counts.
         *
         * @throws IllegalArgumentException if the type has a policy already
         */
        public Builder retry(Class<? extends Throwable> type, RetryPolicy policy) {
            return retry(type, RetryDecision.under(policy));
        }

        /** As {@link #retry(Class, RetryPolicy)}, with a decision such as {@link RetryDecision#GIVE_UP}. */
        public Builder retry(Class<? extends Throwable> type, RetryDecision decision) {
            this.rules = rules.with(type, decision);
            return this;
        }

        /** Adds an interceptor. It runs after, and inside, those added before it. */
        public Builder intercept(JobInterceptor interceptor) {
            this.interceptors = interceptors.with(interceptor);
            return this;
        }

        /** Sets whether a job's id, type, queue and attempt are in its thread's logging context (MDC); they are by default. */
        public Builder loggingContext(boolean on) {
            this.loggingContext = on;
            return this;
        }

        /** Sets how large a stored result may be, as JSON in UTF-8: 64 KiB by default, 0 stores none. The job succeeds anyway. */
        public Builder resultBytesMax(int bytes) {
            this.resultBytesMax = bytes;
            return this;
        }

        /** Sets how large the arguments of a job may be, as JSON in UTF-8; 64 KiB by default. */
        public Builder argumentBytesMax(int bytes) {
            this.argumentBytesMax = bytes;
            return this;
        }

        /**
         * Names the DataSource of the application's transaction manager, so that {@linkplain TransactionLink links} find its
         * transactions. By default it is the storage's.
         */
        public Builder transactionsOf(DataSource dataSource) {
            this.transactions = transactions.on(dataSource);
            return this;
        }

        /** Adds what finds the application's transactions. It is asked before those on the path, after those added before. */
        public Builder transactionLink(TransactionLink link) {
            this.transactions = transactions.with(link);
            return this;
        }

        /** Builds a Treadle that enqueues and runs jobs. */
        public Treadle start() {
            Treadle treadle = build();
            treadle.startServer();
            return treadle;
        }

        /** Builds a Treadle that enqueues, and runs jobs once {@link Treadle#startServer} is called. */
        public Treadle build() {
            JsonArguments arguments = handlers.checkedBy(new JsonArguments(argumentBytesMax));
            TargetRules rules = handlers.rules(packages);
            rules.recommendPackages();
            JsonResults results = new JsonResults(resultBytesMax);
            AwaitLoop await = new AwaitLoop(storage);
            DefaultJobServer.JobCode code = code(arguments, rules, results, await);
            JobServerSettings set = settings;
            Supplier<ChosenExecutor> usual = executor;
            LocalServer server = LocalServer.of(
                    storage,
                    () -> ChosenExecutors.of(usual.get(), set),
                    chosen -> DefaultJobServer.start(storage, chosen, code, set, environment));
            SchedulerServices around = services(results, await)
                    .with(server::insert, server::insertUnique, server::nudge, server::nudgeStops, server::nudgeGates);
            IdSource ids = IdSource.real(environment.random());
            JobScheduler jobs = scheduler(arguments, rules, Supply.CONSTRUCTOR, around, ids);
            return new Treadle(storage, jobs, server, await);
        }

        /**
         * Builds a Treadle without threads, for tests. Its {@linkplain Treadle#server server} is a {@link ManualServer},
         * which runs jobs when it is told to, one at a time, whatever the settings say of workers and executors. The time is
         * that of the storage, which a test can move.
         */
        public Treadle startManually(InstantSource time) {
            Environment environment = Environment.manual(time);
            JsonArguments arguments = handlers.checkedBy(new JsonArguments(argumentBytesMax));
            TargetRules rules = handlers.rules(packages);
            JsonResults results = new JsonResults(resultBytesMax);
            AwaitLoop await = new AwaitLoop(storage);
            ManualJobServer server = ManualJobServer.start(
                    storage, code(arguments, rules, results, await), settings, arguments, environment);
            IdSource ids = new IdSource(time, environment.random());
            JobScheduler jobs = scheduler(arguments, rules, Supply.CONSTRUCTOR, services(results, await), ids);
            return new Treadle(storage, jobs, LocalServer.of(server), await);
        }

        /** Builds a Treadle that only enqueues: other processes run the jobs. */
        public Treadle enqueueOnly() {
            AwaitLoop await = new AwaitLoop(storage);
            JsonArguments arguments = new JsonArguments(argumentBytesMax);
            SchedulerServices around = services(new JsonResults(resultBytesMax), await);
            IdSource ids = IdSource.real(environment.random());
            JobScheduler jobs = scheduler(arguments, handlers.rules(packages), Supply.ELSEWHERE, around, ids);
            return new Treadle(storage, jobs, LocalServer.none(), await);
        }

        private DefaultJobServer.JobCode code(
                JsonArguments arguments, TargetRules rules, JsonResults results, AwaitLoop await) {
            Capture requests = new Capture(arguments, rules, Supply.CONSTRUCTOR, handlers.names());
            return new DefaultJobServer.JobCode(
                    new Invoker(rules, handlers, activator, arguments, ExecutorDiscovery.contextLoader()),
                    new RunOptions(this.rules, interceptors, results, loggingContext),
                    blocks,
                    new SpawnedJobs(requests, interceptors),
                    await.awaited()::written);
        }

        private SchedulerServices services(JsonResults results, AwaitLoop await) {
            return SchedulerServices.of(storage, interceptors, await.awaited(), results, blocks);
        }

        private JobScheduler scheduler(
                JsonArguments arguments, TargetRules rules, Supply byDefault, SchedulerServices around, IdSource ids) {
            Supply supply = activator instanceof ConstructorActivator ? byDefault : Supply.ACTIVATOR;
            Capture capture = new Capture(arguments, rules, supply, handlers.names());
            TransactionLinks links = transactions.found(ExecutorDiscovery.contextLoader(), storage);
            return DefaultJobScheduler.of(storage, capture, ids, around, links);
        }
    }
}
