package dev.treadle.health.rules;

import dev.treadle.health.HealthProblem;
import dev.treadle.health.HealthProblem.Rule;
import dev.treadle.health.Verdict;
import dev.treadle.health.Verdict.Level;
import dev.treadle.health.rules.HealthFacts.Recent;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.storage.admin.JobSearch.NodeSeen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is wrong, by rules in order; the worst of what holds makes the verdict. Has no clock and sends no question.
 */
public final class HealthRules {
    /** How long a due job may wait before that is a problem. */
    static final Duration WAIT_MAX = Duration.ofSeconds(30);
    /** How long a node may be silent before that is a problem. */
    public static final Duration SILENT_MAX = Duration.ofSeconds(30);
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

    /** The verdict on what was seen. */
    public static Verdict verdict(HealthFacts facts) {
        List<HealthProblem> problems = problems(facts);
        // a queue that was paused a moment ago is shown, and is no news to the person who did it
        if (!problems.isEmpty() && problems.get(0).level().compareTo(Level.DEGRADED) <= 0) {
            HealthProblem worst = problems.get(0);
            return new Verdict(worst.level(), worst.sentence(), problems);
        }
        long running = facts.count(StateName.PROCESSING);
        if (running == 0 && facts.count(StateName.ENQUEUED) == 0) {
            return new Verdict(Level.IDLE, idle(facts), problems);
        }
        return new Verdict(
                Level.HEALTHY,
                "Healthy. " + number(running) + (running == 1 ? " job runs" : " jobs run") + servers(facts)
                        + waiting(facts),
                problems);
    }

    private static String idle(HealthFacts facts) {
        long scheduled = facts.count(StateName.SCHEDULED);
        long waiting = facts.count(StateName.WAITING);
        String later = scheduled == 0 ? "" : number(scheduled) + (scheduled == 1 ? " is" : " are") + " scheduled";
        String atGates = waiting == 0
                ? ""
                : number(waiting) + (waiting == 1 ? " waits" : " wait") + " for other jobs or for an event";
        return later.isEmpty() && atGates.isEmpty()
                ? "Idle. No job is due and none is scheduled."
                : "Idle. No job is due; " + later + (later.isEmpty() || atGates.isEmpty() ? "" : ", and ") + atGates
                        + ".";
    }

    private static String servers(HealthFacts facts) {
        if (facts.nodes() == null) {
            return "";
        }
        long living = living(facts.nodes());
        return " on " + living + (living == 1 ? " server" : " servers");
    }

    private static String waiting(HealthFacts facts) {
        Duration oldest = oldest(facts);
        if (oldest != null) {
            return "; the oldest waiting one has waited " + words(oldest) + ".";
        }
        return facts.overrides().paused().stream().anyMatch(queue -> queue.waiting() > 0)
                ? "; what waits is in queues that are paused."
                : "; none waits.";
    }

    /** How long the oldest job has waited that should have started by now; jobs in a paused queue are meant to wait. */
    private static @Nullable Duration oldest(HealthFacts facts) {
        return facts.overrides().paused().isEmpty()
                ? facts.oldest()
                : facts.overrides().oldestElsewhere();
    }

    /** Everything that is wrong, worst first. */
    private static List<HealthProblem> problems(HealthFacts facts) {
        List<HealthProblem> problems = new ArrayList<>();
        HealthFacts.Outage outage = facts.outage();
        if (outage != null) {
            problems.add(problem(
                    Rule.STORAGE_DOWN,
                    Level.DOWN,
                    "The database has not answered for " + words(outage.since()) + ". No job can start. "
                            + outage.why(),
                    "Is the database up? Jobs go on by themselves when it is back."));
            return problems;
        }
        noServer(facts, problems);
        behind(facts, problems);
        failing(facts.recent(), problems);
        silent(facts, problems);
        parked(facts, problems);
        stubborn(facts, problems);
        facts.overrides().paused().stream()
                .limit(PAUSED_SHOWN_MAX)
                .map(HealthRules::paused)
                .forEach(problems::add);
        heap(facts.self(), problems);
        problems.sort((one, other) -> one.level().compareTo(other.level()));
        return problems;
    }

    private static void noServer(HealthFacts facts, List<HealthProblem> problems) {
        long open = facts.count(StateName.ENQUEUED) + facts.count(StateName.PROCESSING);
        if (!isServed(facts) && open > 0) {
            problems.add(problem(
                    Rule.NO_SERVER,
                    Level.DOWN,
                    "Nothing is processing jobs: " + number(open) + " wait, and no server has been heard for "
                            + words(SILENT_MAX) + ".",
                    "Start a server, as with Treadle.on(storage).start()."));
        }
        if (facts.self().serverStopped()) {
            problems.add(problem(
                    Rule.SERVER_STOPPED,
                    Level.DEGRADED,
                    "The server of this process has stopped, so this process runs no jobs.",
                    "If it was not closed, a class that it needs could not be used, and the log names the class. Start"
                            + " the process again."));
        }
    }

    private static void silent(HealthFacts facts, List<HealthProblem> problems) {
        List<NodeSeen> nodes = facts.nodes();
        if (nodes != null && isServed(facts)) {
            nodes.stream()
                    .filter(node -> node.goneAt() == null && node.beatAgo().compareTo(SILENT_MAX) > 0)
                    .map(node -> problem(
                            Rule.SERVER_SILENT,
                            Level.DEGRADED,
                            node.node().name() + " has been silent for " + words(node.beatAgo()) + ".",
                            "Other servers run its jobs. If the process is gone, its row disappears by itself."))
                    .forEach(problems::add);
        }
    }

    private static void heap(HealthFacts.Self self, List<HealthProblem> problems) {
        if (self.heapMax() > 0 && self.heapUsed() > HEAP_SHARE_MAX * self.heapMax()) {
            problems.add(problem(
                    Rule.HEAP_FULL,
                    Level.DEGRADED,
                    "The heap of this server is " + Math.round(100.0 * self.heapUsed() / self.heapMax()) + " % full.",
                    "Give the JVM more (-Xmx), or run fewer jobs at once."));
        }
    }

    private static void behind(HealthFacts facts, List<HealthProblem> problems) {
        Duration oldest = oldest(facts);
        if (oldest != null && oldest.compareTo(WAIT_MAX) > 0 && isServed(facts)) {
            problems.add(problem(
                    Rule.FALLING_BEHIND,
                    Level.DEGRADED,
                    "Falling behind: " + number(facts.count(StateName.ENQUEUED)) + " jobs wait, the oldest for "
                            + words(oldest) + ".",
                    "Start more servers, or let each run more jobs at once."));
        }
    }

    /** Whether so many jobs failed that it is a problem. */
    static boolean isFailing(Recent recent) {
        return recent.failed() >= FAILED_MIN
                && recent.failed() >= FAILED_SHARE_MAX * (recent.succeeded() + recent.failed());
    }

    private static void failing(Recent recent, List<HealthProblem> problems) {
        if (!isFailing(recent)) {
            return;
        }
        long share = Math.round(100.0 * recent.failed() / (recent.succeeded() + recent.failed()));
        String mostly = recent.failures().stream()
                .max((one, other) -> Integer.compare(one.jobs(), other.jobs()))
                .map(group -> ", mostly of " + Texts.simpleName(group.cause()))
                .orElse("");
        problems.add(problem(
                Rule.FAILING,
                Level.DEGRADED,
                share + " % of the jobs of the last 5 minutes failed (" + number(recent.failed()) + ")" + mostly + ".",
                "See the causes, fix them, and run the jobs again."));
    }

    private static void parked(HealthFacts facts, List<HealthProblem> problems) {
        long parked = facts.count(StateName.PARKED);
        if (parked > 0) {
            problems.add(
                    problem(
                            Rule.PARKED,
                            Level.DEGRADED,
                            number(parked) + (parked == 1 ? " job is" : " jobs are")
                                    + " parked: no server here knows how to run " + (parked == 1 ? "it." : "them."),
                            "Deploy the code they call, or delete them. They come back by themselves when a server knows them."));
        }
    }

    private static void stubborn(HealthFacts facts, List<HealthProblem> problems) {
        List<StopRequest> over = facts.overrides().stubborn().stream()
                .filter(run -> run.since().compareTo(STOP_MAX) > 0)
                .toList();
        if (over.isEmpty()) {
            return;
        }
        StopRequest oldest = over.get(0);
        List<NodeSeen> nodes = facts.nodes() == null ? List.of() : facts.nodes();
        String node = nodes.stream()
                .filter(seen -> seen.node().id().equals(oldest.node()))
                .map(seen -> seen.node().name())
                .findFirst()
                .orElse("server " + oldest.node().value());
        problems.add(new HealthProblem(
                Rule.STILL_RUNNING,
                Level.DEGRADED,
                Texts.straight(number(over.size())
                        + (over.size() == 1 ? " job still runs although it was" : " jobs still run although they were")
                        + " cancelled or taken over, " + (over.size() == 1 ? "" : "the oldest ") + "for "
                        + words(oldest.since()) + " on " + node + "."),
                "Such a job ignores its interrupt and keeps its permit until it ends. Ask job.shouldStop() in its code, or"
                        + " end what it waits for with job.onStop(…); a restart of its server ends it.",
                oldest.run().job()));
    }

    private static HealthProblem paused(OperatorOverrides.Paused queue) {
        boolean forgotten = queue.goesOnIn() == null && queue.howLong().compareTo(PAUSE_MAX) > 0;
        return problem(
                Rule.QUEUE_PAUSED,
                forgotten ? Level.DEGRADED : Level.IDLE,
                "The queue " + queue.queue() + " has been paused for " + words(queue.howLong()) + " by " + queue.by()
                        + (queue.why() == null ? "" : " (" + queue.why() + ")") + "; "
                        + (queue.waiting() == 0
                                ? "nothing waits in it."
                                : number(queue.waiting()) + (queue.waiting() == 1 ? " job waits" : " jobs wait")
                                        + " in it."),
                queue.goesOnIn() == null
                        ? "Resume it when what it was paused for is over."
                        : "It goes on by itself in " + words(queue.goesOnIn()) + ", or when somebody resumes it.");
    }

    /** Whether a server is heard, as far as the storage tells. */
    private static boolean isServed(HealthFacts facts) {
        return facts.nodes() == null || living(facts.nodes()) > 0;
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

    /** The sentence contains names and reasons of people. */
    private static HealthProblem problem(Rule rule, Level level, String sentence, String fix) {
        return new HealthProblem(rule, level, Texts.straight(sentence), fix, null);
    }
}
