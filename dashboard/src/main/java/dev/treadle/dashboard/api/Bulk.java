package dev.treadle.dashboard.api;

import dev.treadle.dashboard.api.Route.Call;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.web.Json;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Response;
import dev.treadle.job.JobId;
import dev.treadle.storage.JobFilter;
import dev.treadle.storage.JobPage;
import dev.treadle.storage.Move;
import dev.treadle.storage.Operators;
import dev.treadle.storage.Operators.Act;
import dev.treadle.storage.Operators.Action;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.WriteResult;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Things done to everything that matches, in the background, one batch after the other: first counted, then confirmed
 * with that count. Each batch and its audit row are one transaction; ending one half-way leaves whole batches behind.
 */
final class Bulk implements AutoCloseable {
    /** Most jobs that are counted beforehand; more are said to be so many or more. */
    static final int COUNT_MAX = 10_000;
    /** Most operations that are remembered. */
    private static final int REMEMBERED_MAX = 50;

    private static final int WAITING_MAX = 10;
    private static final Logger LOG = LoggerFactory.getLogger(Bulk.class);

    private final StorageProvider storage;
    private final Json json;
    private final InstantSource time;
    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(0, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING_MAX), task -> {
                Thread own = new Thread(task, "treadle-dashboard-bulk");
                own.setDaemon(true);
                return own;
            });
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}. */
    private final Map<String, Operation> operations = new LinkedHashMap<>();

    Bulk(StorageProvider storage, Json json, InstantSource time) {
        this.storage = storage;
        this.json = json;
        this.time = time;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/api/v1/bulk", Role.OPERATOR, this::begin),
                Route.get("/api/v1/operations", this::all),
                Route.get("/api/v1/operations/{id}", this::one),
                Route.delete("/api/v1/operations/{id}", Role.OPERATOR, this::end));
    }

    /** What is to be done, to what; {@code expected} is the count that was shown. */
    record Order(
            @Nullable String action,
            @Nullable String state,
            @Nullable String q,
            @Nullable String cause,
            @Nullable String why,
            @Nullable Boolean dryRun,
            @Nullable Integer expected) {}

    record Count(int jobs, boolean more) {}

    /** How far an operation is. */
    record Progress(
            String id,
            String action,
            String filter,
            String by,
            Instant begunAt,
            @Nullable Instant endedAt,
            int expected,
            int done,
            int skipped,
            String standing) {}

    record All(List<Progress> operations) {}

    private Response begin(Call call) {
        Order order = json.read(call.request(), Order.class);
        Action action = action(order.action());
        JobFilter filter =
                Query.filter(JobFilter.ALL.withState(Query.state(order.state())), order.q(), order.cause(), time);
        if (filter.state() == null) {
            throw Problem.bad("A bulk action is for the jobs of one state: say which.");
        }
        // what comes after the count was shown is not meant
        Instant now = time.instant();
        Count count = count(filter);
        if (Boolean.TRUE.equals(order.dryRun())) {
            return json.ok(count);
        }
        if (order.expected() == null || order.expected() != count.jobs()) {
            throw new Problem(
                    409,
                    "count-changed",
                    "The count has changed",
                    "This would be done to " + count.jobs() + (count.more() ? " or more" : "") + " jobs, and "
                            + order.expected() + " were expected.",
                    "Look at the new count, and confirm it.");
        }
        Move move =
                new Move(call.user().name(), order.why() == null || order.why().isBlank() ? null : order.why());
        String target = describe(order, filter);
        Operation operation = new Operation(action, filter, new Act(action.name(), move, target), count.jobs(), now);
        lock.lock();
        try {
            operations.put(operation.id, operation);
            if (operations.size() > REMEMBERED_MAX) {
                operations.remove(operations.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
        try {
            thread.execute(operation);
        } catch (RejectedExecutionException e) {
            operation.finish("refused");
            throw new Problem(
                    503,
                    "busy",
                    "Too much at once",
                    "Too many bulk actions wait already.",
                    "Try again when they ended.");
        }
        return Response.of(202, "application/json", json.bytes(operation.progress()));
    }

    private static Action action(@Nullable String name) {
        try {
            return Action.valueOf(String.valueOf(name));
        } catch (IllegalArgumentException e) {
            throw Problem.bad("The action is one of " + List.of(Action.values()) + ".");
        }
    }

    private static String describe(Order order, JobFilter filter) {
        StringBuilder text = new StringBuilder("all that are " + filter.state());
        if (order.q() != null && !order.q().isBlank()) {
            text.append(" and match ").append(Query.shown(order.q()));
        }
        if (order.cause() != null && !order.cause().isBlank()) {
            text.append(" of ").append(order.cause());
        }
        return text.toString();
    }

    private Count count(JobFilter filter) {
        int jobs = 0;
        String next = null;
        int pages = 0;
        do {
            JobPage page = storage.search().list(filter, next, Operators.JOBS_MAX);
            jobs += page.lines().size();
            next = page.next();
            pages++;
        } while (next != null && jobs < COUNT_MAX && pages < COUNT_MAX / Operators.JOBS_MAX);
        return new Count(jobs, next != null);
    }

    private Response all(Call call) {
        lock.lock();
        try {
            List<Progress> newestFirst = new ArrayList<>();
            operations.values().forEach(operation -> newestFirst.add(0, operation.progress()));
            return json.ok(new All(newestFirst));
        } finally {
            lock.unlock();
        }
    }

    private Response one(Call call) {
        return json.ok(find(call).progress());
    }

    private Response end(Call call) {
        Operation operation = find(call);
        operation.cancelled = true;
        return json.ok(operation.progress());
    }

    private Operation find(Call call) {
        lock.lock();
        try {
            Operation operation = operations.get(call.parameter("id"));
            if (operation == null) {
                throw Problem.notFound(
                        "There is no such operation. This process remembers the last " + REMEMBERED_MAX + ".");
            }
            return operation;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            operations.values().forEach(operation -> operation.cancelled = true);
        } finally {
            lock.unlock();
        }
        thread.shutdown();
    }

    private final class Operation implements Runnable {
        private final String id = UUID.randomUUID().toString();
        private final Action action;
        private final JobFilter filter;
        private final Act act;
        private final int expected;
        private final Instant begunAt;
        private volatile @Nullable Instant endedAt;
        private volatile int done;
        private volatile int skipped;
        private volatile String standing = "waiting";
        private volatile boolean cancelled;

        Operation(Action action, JobFilter filter, Act act, int expected, Instant begunAt) {
            this.action = action;
            this.filter = filter;
            this.act = act;
            this.expected = expected;
            this.begunAt = begunAt;
        }

        @Override
        public void run() {
            standing = "running";
            String how = "failed";
            try {
                how = work() ? "done" : "cancelled";
            } catch (StorageException e) {
                LOG.warn("The bulk action {} on {} ended half-way.", action, id, e);
            } finally {
                finish(how);
            }
        }

        private boolean work() {
            String next = null;
            do {
                if (cancelled) {
                    return false;
                }
                JobPage page = storage.search().list(filter, next, Operators.JOBS_MAX);
                // why only those made before: an action must not chase its own effects, nor what comes meanwhile
                List<JobId> ids = page.lines().stream()
                        .filter(line -> !line.job().state().since().isAfter(begunAt))
                        .map(line -> line.job().id())
                        .toList();
                if (!ids.isEmpty()) {
                    List<WriteResult> results = storage.operators().act(act, ids);
                    int written = (int) results.stream()
                            .filter(WriteResult.Written.class::isInstance)
                            .count();
                    done += written;
                    skipped += ids.size() - written;
                }
                next = page.next();
            } while (next != null);
            return true;
        }

        void finish(String how) {
            standing = how;
            endedAt = time.instant();
        }

        Progress progress() {
            return new Progress(
                    id,
                    action.name(),
                    act.target(),
                    act.move().by(),
                    begunAt,
                    endedAt,
                    expected,
                    done,
                    skipped,
                    standing);
        }
    }
}
