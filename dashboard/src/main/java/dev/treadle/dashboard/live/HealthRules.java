package dev.treadle.dashboard.live;

import dev.treadle.dashboard.live.Verdict.Level;
import dev.treadle.job.StateName;
import dev.treadle.storage.StopRequest;
import dev.treadle.storage.admin.FailureGroup;
import dev.treadle.storage.admin.JobSearch.NodeSeen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong, by rules in order; the first one that holds makes the verdict. Has no clock and sends no question. */
final class HealthRules {
    /** How long a due job may wait before that is a problem. */
    static final Duration WAIT_MAX = Duration.ofSeconds(30);
    /** How long a node may be silent before that is a problem. */
    static final Duration SILENT_MAX = Duration.ofSeconds(30);
    /** Share of failed jobs of the last five minutes that is a problem. */
    static final double FAILED_SHARE_MAX = 0.05;
    /** And how many they must be at least. */
    static final int FAILED_MIN = 10;
    /** Share of the largest heap in use that is a problem. */
    static final double HEAP_SHARE_MAX = 0.95;

    /** How long a run that was told to end may go on before that is a problem: it is interrupted within a second. */
    static final Duration STOP_MAX = Duration.ofSeconds(5);
    /** How long a queue may be paused, without an end, before that counts as a problem. */
    static final Duration PAUSE_MAX = Duration.ofHours(1);
    /** Most queues at rest that are named. */
    private static final int PAUSED_SHOWN_MAX = 10;

    private HealthRules() {}

    /** What the rules look at. */
    record Facts(
            @Nullable String storageError,
            long storageDownMillis,
            Map<StateName, Long> counts,
            @Nullable Duration oldest,
            List<NodeSeen> nodes,
            @Nullable Point fiveMinutes,
            List<FailureGroup> failures,
            @Nullable Vitals jvm,
            OperatorOverrides.Standing wishes) {
        long count(StateName state) {
            return counts.getOrDefault(state, 0L);
        }
    }

    static Verdict verdict(Facts facts) {
        List<Problem> problems = problems(facts);
        // a queue that was paused a moment ago is shown, and is no news to the person who did it
        if (!problems.isEmpty() && problems.get(0).level().compareTo(Level.DEGRADED) <= 0) {
            Problem worst = problems.get(0);
            return new Verdict(worst.level(), worst.sentence(), worst.link());
        }
        long running = facts.count(StateName.PROCESSING);
        if (running == 0 && facts.count(StateName.ENQUEUED) == 0) {
            long scheduled = facts.count(StateName.SCHEDULED);
            return new Verdict(
                    Level.IDLE,
                    scheduled == 0
                            ? "Idle. No job is due and none is scheduled."
                            : "Idle. No job is due; " + number(scheduled)
                                    + (scheduled == 1 ? " is scheduled." : " are scheduled."),
                    scheduled == 0 ? null : "/jobs?state=SCHEDULED");
        }
        long living = living(facts.nodes());
        return new Verdict(
                Level.HEALTHY,
                "Healthy. " + number(running) + (running == 1 ? " job runs" : " jobs run") + " on " + living
                        + (living == 1 ? " server" : " servers")
                        + waiting(facts),
                null);
    }

    private static String waiting(Facts facts) {
        Duration oldest = oldest(facts);
        if (oldest != null) {
            return "; the oldest waiting one has waited " + words(oldest) + ".";
        }
        return facts.wishes().paused().stream().anyMatch(queue -> queue.waiting() > 0)
                ? "; what waits is in queues that are paused."
                : "; none waits.";
    }

    /** How long the oldest job has waited that should have started by now; jobs in a paused queue are meant to wait. */
    private static @Nullable Duration oldest(Facts facts) {
        return facts.wishes().paused().isEmpty()
                ? facts.oldest()
                : facts.wishes().oldestElsewhere();
    }

    /** Everything that is wrong, worst first. */
    static List<Problem> problems(Facts facts) {
        List<Problem> problems = new ArrayList<>();
        if (facts.storageError() != null) {
            problems.add(new Problem(
                    "storage-down",
                    Level.DOWN,
                    "The database has not answered for " + words(Duration.ofMillis(facts.storageDownMillis()))
                            + ". No job can start. " + facts.storageError(),
                    "Is the database up? Jobs go on by themselves when it is back.",
                    null));
            return problems;
        }
        noServer(facts, problems);
        behind(facts, problems);
        failing(facts, problems);
        facts.nodes().stream()
                .filter(node -> node.goneAt() == null && node.beatAgo().compareTo(SILENT_MAX) > 0)
                .filter(node -> living(facts.nodes()) > 0)
                .forEach(node -> problems.add(new Problem(
                        "server-silent",
                        Level.DEGRADED,
                        node.node().name() + " has been silent for " + words(node.beatAgo()) + ".",
                        "Other servers run its jobs. If the process is gone, its row disappears by itself.",
                        "/servers")));
        parked(facts, problems);
        stubborn(facts, problems);
        facts.wishes().paused().stream()
                .limit(PAUSED_SHOWN_MAX)
                .map(HealthRules::paused)
                .forEach(problems::add);
        Vitals jvm = facts.jvm();
        if (jvm != null && jvm.heapMax() > 0 && jvm.heapUsed() > HEAP_SHARE_MAX * jvm.heapMax()) {
            problems.add(new Problem(
                    "heap-full",
                    Level.DEGRADED,
                    "The heap of this server is " + Math.round(100.0 * jvm.heapUsed() / jvm.heapMax()) + " % full.",
                    "Give the JVM more (-Xmx), or run fewer jobs at once.",
                    "/servers"));
        }
        problems.sort((one, other) -> one.level().compareTo(other.level()));
        return problems;
    }

    private static void noServer(Facts facts, List<Problem> problems) {
        long open = facts.count(StateName.ENQUEUED) + facts.count(StateName.PROCESSING);
        if (living(facts.nodes()) == 0 && open > 0) {
            problems.add(new Problem(
                    "no-server",
                    Level.DOWN,
                    "Nothing is processing jobs: " + number(open) + " wait, and no server has been heard for "
                            + words(SILENT_MAX) + ".",
                    "Start a server, as with Treadle.on(storage).start().",
                    "/servers"));
        }
    }

    private static void behind(Facts facts, List<Problem> problems) {
        Duration oldest = oldest(facts);
        if (oldest != null && oldest.compareTo(WAIT_MAX) > 0 && living(facts.nodes()) > 0) {
            problems.add(new Problem(
                    "falling-behind",
                    Level.DEGRADED,
                    "Falling behind: " + number(facts.count(StateName.ENQUEUED)) + " jobs wait, the oldest for "
                            + words(oldest) + ".",
                    "Start more servers, or let each run more jobs at once.",
                    "/jobs?state=ENQUEUED"));
        }
    }

    private static void failing(Facts facts, List<Problem> problems) {
        Point five = facts.fiveMinutes();
        if (five == null
                || five.failed() < FAILED_MIN
                || five.failed() < FAILED_SHARE_MAX * (five.ok() + five.failed())) {
            return;
        }
        long share = Math.round(100.0 * five.failed() / (five.ok() + five.failed()));
        String mostly = facts.failures().stream()
                .max((one, other) -> Integer.compare(one.jobs(), other.jobs()))
                .map(group -> ", mostly of " + Texts.simpleName(group.cause()))
                .orElse("");
        problems.add(new Problem(
                "failing",
                Level.DEGRADED,
                share + " % of the jobs of the last 5 minutes failed (" + number(five.failed()) + ")" + mostly + ".",
                "See the causes, fix them, and run the jobs again.",
                "/failures"));
    }

    private static void parked(Facts facts, List<Problem> problems) {
        long parked = facts.count(StateName.PARKED);
        if (parked > 0) {
            problems.add(new Problem(
                    "parked",
                    Level.DEGRADED,
                    number(parked) + (parked == 1 ? " job is" : " jobs are")
                            + " parked: no server here knows how to run " + (parked == 1 ? "it." : "them."),
                    "Deploy the code they call, or delete them. They come back by themselves when a server knows them.",
                    "/jobs?state=PARKED"));
        }
    }

    private static void stubborn(Facts facts, List<Problem> problems) {
        List<StopRequest> over = facts.wishes().stubborn().stream()
                .filter(run -> run.since().compareTo(STOP_MAX) > 0)
                .toList();
        if (over.isEmpty()) {
            return;
        }
        StopRequest oldest = over.get(0);
        String node = facts.nodes().stream()
                .filter(seen -> seen.node().id().equals(oldest.node()))
                .map(seen -> seen.node().name())
                .findFirst()
                .orElse("server " + oldest.node().value());
        problems.add(new Problem(
                "still-running",
                Level.DEGRADED,
                number(over.size())
                        + (over.size() == 1 ? " job still runs although it was" : " jobs still run although they were")
                        + " cancelled or taken over, " + (over.size() == 1 ? "" : "the oldest ") + "for "
                        + words(oldest.since()) + " on " + node + ".",
                "Such a job ignores its interrupt and keeps its permit until it ends. Ask job.shouldStop() in its code, or"
                        + " end what it waits for with job.onStop(…); a restart of its server ends it.",
                "/jobs/" + oldest.run().job()));
    }

    private static Problem paused(OperatorOverrides.Paused queue) {
        boolean forgotten = queue.goesOnIn() == null && queue.howLong().compareTo(PAUSE_MAX) > 0;
        return new Problem(
                "queue-paused",
                forgotten ? Level.DEGRADED : Level.IDLE,
                "The queue " + queue.queue() + " has been paused for " + words(queue.howLong()) + " by " + queue.by()
                        + (queue.why() == null ? "" : " (" + queue.why() + ")") + "; "
                        + (queue.waiting() == 0
                                ? "nothing waits in it."
                                : number(queue.waiting()) + (queue.waiting() == 1 ? " job waits" : " jobs wait")
                                        + " in it."),
                queue.goesOnIn() == null
                        ? "Resume it when what it was paused for is over."
                        : "It goes on by itself in " + words(queue.goesOnIn()) + ", or when somebody resumes it.",
                "/queues");
    }

    private static long living(List<NodeSeen> nodes) {
        return nodes.stream()
                .filter(node -> node.goneAt() == null && node.beatAgo().compareTo(SILENT_MAX) <= 0)
                .count();
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String words(Duration duration) {
        return Texts.words(duration);
    }

    /**
     * Something that is wrong.
     *
     * @param rule     which rule found it
     * @param level    how bad it is
     * @param sentence what is the case
     * @param fix      what to do
     * @param link     the page that shows more; null if there is none
     */
    record Problem(
            String rule,
            Level level,
            String sentence,
            String fix,
            @Nullable String link) {
        /** The sentence contains names and reasons of people. */
        Problem {
            sentence = Texts.straight(sentence);
        }
    }
}
