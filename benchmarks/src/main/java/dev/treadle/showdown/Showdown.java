package dev.treadle.showdown;

import dev.treadle.benchmark.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Runs the salary slips on each executor, watches, and writes the report. */
final class Showdown {
    /** Set by the launcher: the JDKs of this machine, and the class path of the salary slips. */
    private static final String JDKS = "TREADLE_JDKS";

    private static final String CLASS_PATH = "TREADLE_SLIPS_CLASSPATH";

    /** The exit code while some of the curve is left to measure. */
    private static final int SOME_LEFT = 3;

    private final ShowdownOptions options;
    private final List<Contender> contenders;
    private final Plan plan;
    private final RawFolder raw;
    private final PrintStream progress;

    Showdown(ShowdownOptions options, List<Jdk> jdks, PrintStream progress) {
        this.options = options;
        this.contenders = Contender.of(jdks);
        this.plan = new Plan(options, contenders, Runtime.getRuntime().availableProcessors());
        this.raw = new RawFolder(options.out().resolve("raw"));
        this.progress = progress;
    }

    /** @param arguments see {@link ShowdownOptions#USAGE} */
    public static void main(String[] arguments) throws Exception {
        if (Arrays.asList(arguments).contains("--help")
                || Arrays.asList(arguments).contains("-h")) {
            System.out.print(ShowdownOptions.USAGE);
            return;
        }
        System.setProperty("java.awt.headless", "true");
        ShowdownOptions options;
        try {
            options = ShowdownOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n\n" + ShowdownOptions.USAGE);
            System.exit(2);
            return;
        }
        try {
            Showdown showdown = new Showdown(options, jdks(System.getenv(JDKS)), System.err);
            boolean complete = showdown.run(System.getenv(CLASS_PATH));
            System.exit(complete ? 0 : options.curve().asked() ? SOME_LEFT : 1);
        } catch (IllegalStateException | IOException | UncheckedIOException e) {
            System.err.println("The showdown cannot go on: " + e.getMessage());
            System.exit(2);
        }
    }

    private static List<Jdk> jdks(@Nullable String found) {
        return found == null ? List.of(Jdk.own()) : Jdk.parse(found);
    }

    /** Whether every run finished, and was watched until then; of a curve, whether nothing is left. */
    boolean run(@Nullable String classPath) throws IOException, InterruptedException {
        boolean complete = true;
        if (options.reportOnly()) {
            if (raw.facts().isEmpty()) {
                throw new IllegalStateException("nothing was measured into " + options.out()
                        + ". Measure first: ./treadle showdown --out " + options.out());
            }
        } else {
            if (classPath == null) {
                throw new IllegalStateException(CLASS_PATH + " is not set: start this with ./treadle showdown.");
            }
            contenders.stream()
                    .filter(contender -> !contender.isThere())
                    .forEach(contender -> progress.println(
                            contender.label() + " is left out: there is no such JDK. ./treadle setup installs some."));
            raw.create();
            raw.writeFacts(facts());
            Track track = new Track(options, classPath, raw);
            if (options.smallestHeap()) {
                say(plan.defaults().stream()
                        .map(setup -> plan.estimate(setup, 0).multipliedBy(SmallestHeap.RUNS_EXPECTED))
                        .toList());
                new SmallestHeap(plan, options, track, raw, progress).find();
            } else if (options.curve().asked()) {
                CurvePlan points =
                        new CurvePlan(options, contenders, Runtime.getRuntime().availableProcessors());
                complete = new HeapCurve(points, plan, options, track, raw, progress).measure();
            } else {
                complete = measure(track);
            }
        }
        List<Path> written = new Report(raw).write(options.out());
        written.forEach(file -> progress.println("Wrote " + file));
        return complete;
    }

    private boolean measure(Track track) throws IOException, InterruptedException {
        List<Plan.Run> runs = plan.runs();
        int warmUp = plan.warmUp();
        say(runs.stream().map(run -> plan.estimate(run.setup(), warmUp)).toList());
        raw.forgetRuns();
        int cores = Runtime.getRuntime().availableProcessors();
        boolean complete = true;
        for (int i = 0; i < runs.size(); i++) {
            Plan.Run run = runs.get(i);
            Setup setup = run.setup();
            boolean byDefault = setup.permits() == setup.contender().defaultPermits(cores);
            progress.printf(
                    Locale.ROOT,
                    "  %d/%d  %-16s %-7s %,5d permits  round %d … ",
                    i + 1,
                    runs.size(),
                    setup.contender().label(),
                    setup.renderer(),
                    setup.permits(),
                    run.round());
            progress.flush();
            RunRow row = track.measure(run, warmUp, byDefault, plan.limit(setup, warmUp));
            complete &= row.isWhole();
            progress.println(said(row));
        }
        return complete;
    }

    private static String said(RunRow row) {
        if (!row.finished()) {
            return row.fate().printed() + ", " + row.how();
        }
        String seconds = String.format(Locale.ROOT, "%.1f s", row.wallMillis() / 1_000.0);
        return row.isWhole() ? seconds : seconds + ", not watched to its end: " + row.unwatched();
    }

    private void say(List<Duration> each) {
        Duration all = each.stream().reduce(Duration.ZERO, Duration::plus);
        progress.printf(
                Locale.ROOT,
                "%s: about %d min %02d s if nobody else uses this machine. Ctrl-C ends it.%n",
                options.smallestHeap()
                        ? each.size() + " searches of about " + SmallestHeap.RUNS_EXPECTED + " runs"
                        : each.size() + " runs of " + options.employees() + " slips",
                all.toMinutes(),
                all.toSecondsPart());
    }

    private List<List<String>> facts() {
        List<List<String>> facts = new ArrayList<>();
        facts.add(List.of("machine", Machine.hardware()));
        for (Contender contender : contenders) {
            Jdk jdk = contender.jdk();
            facts.add(List.of(contender.label(), jdk == null ? "missing on this machine" : jdk.version()));
        }
        return facts;
    }
}
