package dev.treadle.example.slip;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.server.ConcurrencyLimit;
import dev.treadle.server.HeapGuardSettings;
import dev.treadle.server.JobServer;
import dev.treadle.server.JobServerSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            out.print(DemoOptions.USAGE);
            return;
        }
        DemoOptions options;
        try {
            options = DemoOptions.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + " ./treadle demo --help lists the options.");
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
            SlipFiles files =
                    new SlipFiles(Office.folder("--out", options.out()), new SlipRenderer(options.renderer()));
            AtomicReference<JobScheduler> jobs = new AtomicReference<>();
            Treadle.Builder builder = Treadle.on(office.storage())
                    .handler(RunPayroll.class, new RunPayrollHandler(office.employees(), jobs::get))
                    .handler(
                            GenerateSlip.class,
                            new GenerateSlipHandler(
                                    office.employees(),
                                    options.timeClock(),
                                    files,
                                    clock,
                                    options.memory().kilobytes()))
                    .handler(CheckAccount.class, new CheckAccountHandler())
                    .resultHandler(ApprovedPayroll.class, new ApprovedPayrollHandler(office.employees()))
                    .handler(ReportPayroll.class, new ReportPayrollHandler(options.out()))
                    .allow(Demo.class.getPackageName())
                    .settings(settings());
            if (!options.executor().equals("auto")) {
                builder.executor(options.executor());
            }
            try (Treadle treadle = builder.start()) {
                jobs.set(treadle.jobs());
                Thread hook = new Thread(treadle::close, "demo-stop");
                Runtime.getRuntime().addShutdownHook(hook);
                try (DemoPage page = DemoPage.open(treadle, options.port())) {
                    out.print(page.greeting());
                    boolean complete = pay(treadle, office, run);
                    if (!options.exit() && page.isThere()) {
                        out.println(page.farewell());
                        new CountDownLatch(1).await();
                    }
                    Runtime.getRuntime().removeShutdownHook(hook);
                    return complete;
                }
            }
        }
    }

    private JobServerSettings settings() {
        JobServerSettings settings = JobServerSettings.DEFAULT;
        if (options.memory().guarded()) {
            settings = settings.withHeapGuard(HeapGuardSettings.DEFAULT);
        }
        return options.workers() == null ? settings : settings.withWorkers(options.workers());
    }

    private boolean pay(Treadle treadle, Office office, PayrollRun run)
            throws SQLException, IOException, InterruptedException {
        JobServer server = treadle.server().orElseThrow();
        out.println((run.resumed() ? "Going on with" : "Beginning") + " the payroll of " + run.period() + " for "
                + run.employees() + " employees, executor '" + server.self().executor() + "'.");
        if (run.resumed()) {
            out.println("What was running when that process ended is tried again after "
                    + settings().deadAfter().toSeconds() + " s of its silence.");
        }
        Instant began = clock.instant();
        Slips slips = begin(treadle.jobs(), office, run);
        if (!options.clean()) {
            CheckAccount.enqueueSome(treadle.jobs(), run);
        }
        try (HeapWatch heap = new HeapWatch(server::running)) {
            int before = watch(slips, server, heap, began);
            Duration wall = since(began);
            if (options.approval()) {
                new Approval(out, options.exit() ? null : System.console()).decide(treadle.jobs(), run);
            }
            office.endRun(run);
            int files = files(run, office.employees());
            Report.SlipCount count = new Report.SlipCount(slips.succeeded(), slips.total() - slips.succeeded(), files);
            new Report(run, wall, before)
                    .print(
                            out,
                            server,
                            heap,
                            count,
                            options.out().resolve(run.period().toString()));
            return count.succeeded() == run.employees() && count.files() == run.employees();
        }
    }

    /** Enqueues the payroll, which does nothing if another process has begun it. */
    private Slips begin(JobScheduler jobs, Office office, PayrollRun run) throws SQLException {
        if (options.approval()) {
            JobId id = Approval.payroll(run);
            jobs.with(JobOptions.DEFAULT.withId(id)).enqueue(new ApprovedPayroll(run.period()));
            return new Slips(jobs, id, Approval.slips(run));
        }
        jobs.with(JobOptions.DEFAULT.withId(run.id())).enqueue(new RunPayroll(run.period()));
        return new Slips(jobs, run.id(), children(jobs, run, office.employees()));
    }

    /** Until all slips have ended. */
    private int watch(Slips slips, JobServer server, HeapWatch heap, Instant began) throws InterruptedException {
        Progress progress = new Progress(out, System.console() != null, slips.total());
        slips.look();
        int before = slips.ended();
        while (!slips.isOver()) {
            progress.show(slips.ended(), before, since(began), standing(server, heap));
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            slips.look();
        }
        progress.end(slips.ended(), before, since(began), standing(server, heap));
        return before;
    }

    private Duration since(Instant began) {
        return Duration.between(began, clock.instant());
    }

    private static String standing(JobServer server, HeapWatch heap) {
        ConcurrencyLimit admitted = server.admitted();
        String guard = admitted.guarded() ? " of " + admitted.admitted() + " admitted" : "";
        return "in flight " + server.running() + guard + "  heap " + heap.now();
    }

    /** The ids that the payroll gives its children are known without it. */
    private static List<JobId> children(JobScheduler jobs, PayrollRun run, EmployeeDirectory employees)
            throws SQLException {
        JobScheduler under = jobs.with(JobOptions.DEFAULT.withIdsUnder(run.id()));
        return employees.ids().stream()
                .map(id -> under.idOf(new GenerateSlip(run.period(), id)))
                .toList();
    }

    private int files(PayrollRun run, EmployeeDirectory employees) throws SQLException {
        int files = 0;
        for (long id : employees.ids()) {
            if (Files.isRegularFile(SlipFiles.pathOf(options.out(), run.period(), id))) {
                files++;
            }
        }
        return files;
    }
}
