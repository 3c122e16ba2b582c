package dev.treadle.dashboard.api;

import dev.treadle.api.Queues;
import dev.treadle.dashboard.api.Route.Call;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.live.Monitor;
import dev.treadle.dashboard.web.Json;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Response;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.QueueState;
import dev.treadle.storage.NodeFigures;
import dev.treadle.storage.admin.JobSearch.NodeSeen;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queues: what waits in them, and letting them rest. */
final class QueuesApi {
    /** How long one answer is given to all who ask: counting what waits is paid for once, however many look. */
    private static final Duration FRESH = Duration.ofSeconds(1);
    /** The longest pause that ends by itself. */
    private static final Duration PAUSE_MAX = Duration.ofDays(365);

    private final Queues queues;
    private final Monitor monitor;
    private final Json json;
    private final InstantSource time;
    private volatile @Nullable Seen seen;

    QueuesApi(Queues queues, Monitor monitor, Json json, InstantSource time) {
        this.monitor = monitor;
        this.queues = queues;
        this.json = json;
        this.time = time;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/queues", call -> json.ok(new All(list()))),
                Route.post("/api/v1/queues", Role.OPERATOR, this::act));
    }

    /**
     * A queue; {@code more} if more wait than are counted.
     *
     * @param served how servers that are heard take its jobs
     */
    record View(
            String queue,
            int waiting,
            boolean more,
            @Nullable Long oldestMs,
            @Nullable Pause pause,
            List<Served> served) {}

    /** A way of serving a queue, and how many servers do so; {@code words} null if as all others. */
    record Served(@Nullable String words, int servers) {}

    /** A pause; {@code until} null if it lasts until a person resumes the queue. */
    record Pause(
            Instant since,
            String by,
            @Nullable String why,
            @Nullable Instant until) {}

    record All(List<View> queues) {}

    /** What to do; {@code seconds} null if a pause does not end by itself. */
    record Order(
            @Nullable String queue,
            @Nullable String action,
            @Nullable Long seconds,
            @Nullable String why) {}

    private record Seen(Instant at, List<View> queues) {}

    private List<View> list() {
        Seen last = seen;
        Instant now = time.instant();
        if (last != null && Duration.between(last.at(), now).compareTo(FRESH) < 0) {
            return last.queues();
        }
        List<View> queues = this.queues.list().stream().map(this::view).toList();
        seen = new Seen(now, queues);
        return queues;
    }

    private View view(QueueState state) {
        QueueState.Pause pause = state.pause();
        return new View(
                state.queue(),
                state.waiting(),
                state.waiting() >= QueueState.COUNTED_MAX,
                state.oldestWaits() == null ? null : state.oldestWaits().toMillis(),
                pause == null ? null : new Pause(pause.since(), pause.by(), pause.why(), pause.until()),
                served(state.queue()));
    }

    /** As the servers say of themselves; one that says nothing takes all queues alike. */
    private List<Served> served(String queue) {
        Map<String, Integer> ways = new LinkedHashMap<>();
        for (NodeSeen seen : monitor.nodes()) {
            NodeFigures figures = seen.node().figures();
            Map<String, String> facts = figures == null ? Map.of() : figures.facts();
            String words = facts.get(NodeFigures.QUEUE_FACT + queue);
            if (seen.goneAt() == null && (words != null || !facts.containsKey(NodeFigures.OTHER_QUEUES_FACT))) {
                ways.merge(words == null ? "" : words, 1, Integer::sum);
            }
        }
        return ways.entrySet().stream()
                .map(way -> new Served(way.getKey().isEmpty() ? null : way.getKey(), way.getValue()))
                .toList();
    }

    private Response act(Call call) {
        Order order = json.read(call.request(), Order.class);
        String action = String.valueOf(order.action());
        if (!action.equals("PAUSE") && !action.equals("RESUME")) {
            throw Problem.bad("The action is one of PAUSE and RESUME.");
        }
        Duration howLong = howLong(order);
        // why refused: a queue that is paused is there for good, and a slip of the pen should not make one
        String queue = queues.list().stream()
                .map(QueueState::queue)
                .filter(known -> known.equals(order.queue()))
                .findFirst()
                .orElseThrow(
                        () -> Problem.notFound("There is no such queue. One is there from its first job on, or from its"
                                + " first pause in code: treadle.queues().pause(…)."));
        OperatorNote move = new OperatorNote(
                call.user().name(), order.why() == null || order.why().isBlank() ? null : order.why());
        String target = "queue " + queue + (howLong == null ? "" : " for " + howLong.toSeconds() + " s");
        Queues audited = queues.audited(new OperatorAct(action, move, target));
        if (action.equals("RESUME")) {
            audited.resume(queue, move.by());
        } else if (howLong == null) {
            audited.pause(queue, move.by(), move.why());
        } else {
            audited.pause(queue, move.by(), move.why(), howLong);
        }
        seen = null;
        return json.ok(new All(list()));
    }

    private static @Nullable Duration howLong(Order order) {
        Long seconds = order.seconds();
        if (seconds == null) {
            return null;
        }
        if (seconds < 1 || seconds > PAUSE_MAX.toSeconds() || !"PAUSE".equals(order.action())) {
            throw Problem.bad("The seconds are how long a pause lasts: 1 to " + PAUSE_MAX.toSeconds() + ".");
        }
        return Duration.ofSeconds(seconds);
    }
}
