package dev.treadle.example.slip;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServer;
import dev.treadle.server.JobServerSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The main job: a company's salary slips, one persisted background job for each employee. */
public final class Demo {
    private static final long LOOK_MILLIS = 500;

    private final DemoOptions options;
    private final PrintStream out;
    private final Clock clock = Clock.systemDefaultZone();

    Demo(DemoOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /** Runs the demo. Exit status: 0 every slip is there, 1 not, 2 it was asked for something that is not possible. */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        DemoOptions options;
        try {
            options = DemoOptions.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n\n" + DemoOptions.USAGE);
            System.exit(2);
            return;
        }
        try {
            System.exit(new Demo(options, out).run() ? 0 : 1);
        } catch (IllegalArgumentException | IllegalStateException e) {
            System.err.println("The demo cannot run: " + e.getMessage());
            System.exit(2);
        }
    }

    /** Whether every slip is there. */
    boolean run() throws IOException, SQLException, InterruptedException {
        try (Office office = Office.open(options)) {
            PayrollRun run = office.openRun(YearMonth.now(clock), options);
            SlipFiles files = new SlipFiles(options.out(), new SlipRenderer());
            AtomicReference<JobScheduler> jobs = new AtomicReference<>();
            Treadle.Builder builder = Treadle.on(office.storage())
                    .handler(RunPayroll.class, new RunPayrollHandler(office.employees(), jobs::get))
                    .handler(
                            GenerateSlip.class,
                            new GenerateSlipHandler(office.employees(), options.timeClock(), files, clock))
                    .allow(Demo.class.getPackageName())
                    .settings(settings());
            if (!options.executor().equals("auto")) {
                builder.executor(options.executor());
            }
            try (Treadle treadle = builder.start()) {
                jobs.set(treadle.jobs());
                Thread hook = new Thread(treadle::close, "demo-stop");
                Runtime.getRuntime().addShutdownHook(hook);
                boolean complete = pay(treadle, office, run, files);
                Runtime.getRuntime().removeShutdownHook(hook);
                return complete;
            }
        }
    }

    private JobServerSettings settings() {
        JobServerSettings settings = JobServerSettings.DEFAULT;
        return options.workers() == null ? settings : settings.withWorkers(options.workers());
    }

    private boolean pay(Treadle treadle, Office office, PayrollRun run, SlipFiles files)
            throws SQLException, IOException, InterruptedException {
        JobServer server = treadle.server().orElseThrow();
        out.println((run.resumed() ? "Going on with" : "Beginning") + " the payroll of " + run.period() + " for "
                + run.employees() + " employees.");
        Instant began = clock.instant();
        treadle.jobs().with(JobOptions.DEFAULT.withId(run.id())).enqueue(new RunPayroll(run.period()));
        Slips slips = new Slips(treadle.jobs(), run);
        try (HeapWatch heap = new HeapWatch(server::running)) {
            watch(slips, server, heap, began);
            office.endRun(run);
            Report report = new Report(options, run, slips, Duration.between(began, clock.instant()));
            boolean complete = report.print(out, server, heap, files, office.employees());
            return complete;
        }
    }

    private void watch(Slips slips, JobServer server, HeapWatch heap, Instant began) throws InterruptedException {
        Progress progress = new Progress(out, System.console() != null, slips.total());
        slips.look();
        int before = slips.ended();
        while (!slips.allEnded()) {
            progress.show(
                    slips.ended(),
                    before,
                    Duration.between(began, clock.instant()),
                    "in flight " + server.running() + "  heap " + heap.now());
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            slips.look();
        }
        progress.show(
                slips.ended(), before, Duration.between(began, clock.instant()), "in flight 0  heap " + heap.now());
        progress.end();
    }

    static StateName stateOf(JobScheduler jobs, JobId id) {
        return jobs.states(java.util.List.of(id)).get(id);
    }
}
