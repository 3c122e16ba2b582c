package dev.treadle.dashboard.api;

import dev.treadle.dashboard.api.Route.Call;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.web.Json;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Response;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobQuery;
import dev.treadle.storage.admin.JobSearch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Things done to everything that matches, in the background, one batch after the other: first counted, then confirmed
 * with that count, and never done to more jobs than were confirmed. Each batch and its audit row are one transaction;
 * ending one half-way leaves whole batches behind.
 */
final class Bulk implements AutoCloseable {
    /** How long one request goes on counting; then it says how many it found so far, and where to go on. */
    private static final Duration COUNT_TIME_MAX = Duration.ofSeconds(1);
    /** How many more jobs than were confirmed may be acted on where not all could be counted again, in percent. */
    private static final int DRIFT_PERCENT = 10;
    /** Most operations that are remembered. */
    private static final int REMEMBERED_MAX = 50;

    private static final int WAITING_MAX = 10;

    private final AdminStorage storage;
    private final StoredNames names;
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

    Bulk(AdminStorage storage, StoredNames names, Json json, InstantSource time) {
        this.storage = storage;
        this.names = names;
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

    /**
     * What is to be done, to what.
     *
     * @param tree     instead of a state and words: the job whose failed and cancelled jobs are run again, with all that it is
     *                 made of
     * @param expected how many jobs were counted; the operation acts on no more
     * @param all      true to act on all that match, however many there are
     * @param after    where a count that was not over goes on; for counting alone
     */
    record Order(
            @Nullable String action,
            @Nullable String state,
            @Nullable String q,
            @Nullable String cause,
            @Nullable String tree,
            @Nullable String why,
            @Nullable Boolean dryRun,
            @Nullable Integer expected,
            @Nullable Boolean all,
            @Nullable String after) {}

    /** How many were found; with {@code more} that was not all, and the count goes on at {@code next}. */
    record Count(int jobs, boolean more, @Nullable String next) {}

    /**
     * How far an operation is.
     *
     * @param expected how many jobs were confirmed; null if all that match, however many
     * @param problem  why it ended before its time; null if it did not
     */
    record Progress(
            String id,
            String action,
            String filter,
            String by,
            Instant begunAt,
            @Nullable Instant endedAt,
            @Nullable Integer expected,
            int done,
            int skipped,
            String standing,
            @Nullable String problem) {}

    record All(List<Progress> operations) {}

    private Response begin(Call call) {
        Order order = json.read(call.request(), Order.class);
        JobAction action = action(order.action());
        Target target = order.tree() == null ? listed(order) : tree(order, action);
        // what comes after the count was shown is not meant
        Instant now = time.instant();
        if (Boolean.TRUE.equals(order.dryRun())) {
            return json.ok(target.counted.of(order.after()));
        }
        int atMost =
                Boolean.TRUE.equals(order.all()) ? Operation.HOWEVER_MANY : confirmed(order, target.counted.of(null));
        OperatorNote move = new OperatorNote(
                call.user().name(), order.why() == null || order.why().isBlank() ? null : order.why());
        Operation.Order what = new Operation.Order(
                action, new OperatorAct(action.name(), move, target.description), order.expected(), atMost);
        Operation operation = new Operation(storage, time, target.finder, what, now);
        lock.lock();
        try {
            operations.put(operation.id(), operation);
            if (operations.size() > REMEMBERED_MAX) {
                operations.remove(operations.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
        try {
            thread.execute(operation);
        } catch (RejectedExecutionException e) {
            operation.finish("refused", null);
            throw new Problem(
                    503,
                    "busy",
                    "Too much at once",
                    "Too many bulk actions wait already.",
                    "Try again when they ended.");
        }
        return Response.of(202, "application/json", json.bytes(operation.progress()));
    }

    /** What is acted on: how it is found, counted, and told in the audit log. */
    private static final class Target {
        private final Finder finder;
        private final Counted counted;
        private final String description;

        Target(Finder finder, Counted counted, String description) {
            this.finder = finder;
            this.counted = counted;
            this.description = description;
        }
    }

    /** Counts, from a place on where a count before was not over. */
    private interface Counted {
        Count of(@Nullable String after);
    }

    private Target listed(Order order) {
        JobQuery asked =
                Query.filter(JobQuery.ALL.withState(Query.state(order.state())), order.q(), order.cause(), time);
        if (asked.state() == null) {
            throw Problem.bad("A bulk action is for the jobs of one state: say which.");
        }
        Filter filter = Filter.of(asked, names);
        return new Target(
                Finder.ofList(storage.search(), filter), after -> count(filter, after), describe(order, asked));
    }

    private Target tree(Order order, JobAction action) {
        if (action != JobAction.RUN_AGAIN || order.state() != null || order.q() != null || order.cause() != null) {
            throw Problem.bad("Of a job and all it is made of, what failed can be run again: RUN_AGAIN with tree alone."
                    + " A job that is cancelled takes what it is made of along by itself.");
        }
        Job root = find(order.tree());
        return new Target(
                new TreeWalk(storage.search(), root),
                after -> count(new TreeWalk(storage.search(), root)),
                "what failed or was cancelled of job " + root.id() + " and all it is made of");
    }

    private Job find(@Nullable String id) {
        try {
            return storage.queries()
                    .find(JobId.parse(String.valueOf(id)))
                    .orElseThrow(() -> Problem.notFound("There is no such job. It may have been deleted."))
                    .job();
        } catch (IllegalArgumentException e) {
            throw Problem.bad("The field tree is the id of a job.");
        }
    }

    private static JobAction action(@Nullable String name) {
        try {
            return JobAction.valueOf(String.valueOf(name));
        } catch (IllegalArgumentException e) {
            throw Problem.bad("The action is one of " + List.of(JobAction.values()) + ".");
        }
    }

    private static String describe(Order order, JobQuery filter) {
        StringBuilder text = new StringBuilder("all that are " + filter.state());
        if (order.q() != null && !order.q().isBlank()) {
            text.append(" and match ").append(Query.shown(order.q()));
        }
        if (order.cause() != null && !order.cause().isBlank()) {
            text.append(" of ").append(order.cause());
        }
        return text.toString();
    }

    /** How many jobs may be acted on. */
    private static int confirmed(Order order, Count count) {
        Integer expected = order.expected();
        boolean fits = expected != null && (count.more() ? expected >= count.jobs() : expected == count.jobs());
        if (!fits) {
            throw new Problem(
                    409,
                    "count-changed",
                    "The count has changed",
                    "This would be done to " + (count.more() ? "at least " : "") + count.jobs() + " jobs, and "
                            + expected + " were expected.",
                    "Look at the new count, and confirm it; or confirm all that match, however many, with all.");
        }
        // why some more: those that cannot be counted again within this request may have changed a little
        long drift = count.more() ? (long) expected * DRIFT_PERCENT / 100 : 0;
        return (int) Math.min(Operation.HOWEVER_MANY, expected + drift);
    }

    private Count count(Filter filter, @Nullable String after) {
        int jobs = 0;
        String next = after == null || after.isEmpty() ? null : after;
        Instant until = time.instant().plus(COUNT_TIME_MAX);
        do {
            JobPage page = storage.search().list(filter.stored(), next, JobSearch.PAGE_MAX);
            jobs += (int) page.lines().stream()
                    .filter(line -> filter.isMeant(line.job()))
                    .count();
            next = page.next();
        } while (next != null && time.instant().isBefore(until));
        return new Count(jobs, next != null, next);
    }

    private Count count(Finder finder) {
        int jobs = 0;
        Instant until = time.instant().plus(COUNT_TIME_MAX);
        do {
            List<Job> found = finder.next();
            if (found == null) {
                return new Count(jobs, false, null);
            }
            jobs += found.size();
        } while (time.instant().isBefore(until));
        return new Count(jobs, true, null);
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
        if (operation.stop()) {
            OperatorNote move = new OperatorNote(call.user().name(), null);
            OperatorAct stopped = operation.act();
            storage.operators().note(new OperatorAct("STOP_" + stopped.action(), move, stopped.target()), 0);
        }
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
            operations.values().forEach(Operation::stop);
        } finally {
            lock.unlock();
        }
        thread.shutdown();
    }
}
