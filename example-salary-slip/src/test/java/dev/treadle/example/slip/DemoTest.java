package dev.treadle.example.slip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.server.JobServerSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.YearMonth;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole demo, small. Without the limit, a demo that waits for slips that never come would wait for ever. */
@Timeout(300)
class DemoTest {
    private static final int EMPLOYEES = 12;
    private static final int FIRST = 5;
    private static final int COMPLETED = 0;

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Test
    void in_memory_every_employee_gets_a_slip() throws Exception {
        assertTrue(demo("memory"), this::printed);

        assertEquals(EMPLOYEES, slips().size());
        assertTrue(printed().startsWith("Beginning the payroll of "), printed());
        assertTrue(printed().contains("12 ok, 0 failed, 12 PDFs of 12"), printed());
    }

    @Test
    void with_the_renderer_docx4j_every_employee_gets_a_slip_too() throws Exception {
        DemoOptions options = options("memory", "--renderer=docx4j");

        assertTrue(new Demo(options, new PrintStream(bytes, true, StandardCharsets.UTF_8)).run(), this::printed);

        assertEquals(EMPLOYEES, slips().size());
    }

    @Test
    void in_an_h2_file_every_employee_gets_a_slip_in_one_job_beside_the_payrolls_own() throws Exception {
        assertTrue(demo("h2"), this::printed);

        assertEquals(EMPLOYEES, slips().size());
        assertEquals(EMPLOYEES + 1, count("select count(*) from treadle_job"));
        assertEquals(0, count("select count(*) from payroll_run where ended_at is null"));
    }

    @Test
    void a_run_that_ended_is_followed_by_a_new_one() throws Exception {
        assertTrue(demo("h2"), this::printed);
        bytes.reset();

        assertTrue(demo("h2"), this::printed);

        assertTrue(printed().startsWith("Beginning the payroll of "), printed());
        assertEquals(2 * (EMPLOYEES + 1), count("select count(*) from treadle_job"));
    }

    @Test
    void a_run_that_was_left_in_the_middle_goes_on_and_nobody_is_enqueued_or_paid_twice() throws Exception {
        leaveARunInTheMiddle();
        assertEquals(FIRST, slips().size());

        assertTrue(demo("h2"), this::printed);

        assertTrue(printed().startsWith("Going on with the payroll of "), printed());
        assertEquals(EMPLOYEES, slips().size());
        assertEquals(EMPLOYEES + 1, count("select count(*) from treadle_job"));
        assertEquals(EMPLOYEES + 1, count("select count(*) from treadle_history where event = " + COMPLETED));
        assertEquals(1, count("select count(*) from payroll_run"));
    }

    @Test
    void a_slip_that_is_missing_makes_the_result_false() throws Exception {
        leaveARunInTheMiddle();
        Files.delete(slips().get(0));

        assertFalse(demo("h2"), this::printed);

        assertEquals(EMPLOYEES - 1, slips().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "memory"})
    void a_payroll_joins_its_slips_and_ends_when_it_is_approved(String storage) throws Exception {
        DemoOptions options = options(storage, "--approval");

        assertTrue(new Demo(options, new PrintStream(bytes, true, StandardCharsets.UTF_8)).run(), this::printed);

        assertEquals(EMPLOYEES, slips().size());
        assertTrue(printed().contains("The payroll has ended as APPROVED."), this::printed);
        assertEquals(
                "Payroll of " + YearMonth.now() + ": " + EMPLOYEES + " slips, 0 missing.",
                Files.readString(ReportPayrollHandler.pathOf(folder.resolve("out"), YearMonth.now()))
                        .strip());
    }

    /** The payroll has enqueued everybody, the first employees have their slips, and the process ends. */
    private void leaveARunInTheMiddle() throws IOException, SQLException, InterruptedException {
        DemoOptions options = options("h2");
        try (Office office = Office.open(options)) {
            PayrollRun run = office.openRun(YearMonth.now(), options);
            CountDownLatch first = new CountDownLatch(FIRST);
            CountDownLatch others = new CountDownLatch(EMPLOYEES - FIRST);
            AtomicReference<JobScheduler> jobs = new AtomicReference<>();
            try (Treadle treadle = Treadle.on(office.storage())
                    .handler(RunPayroll.class, new RunPayrollHandler(office.employees(), jobs::get))
                    .handler(GenerateSlip.class, firstOnly(office, options, first, others))
                    .settings(JobServerSettings.DEFAULT.withWorkers(EMPLOYEES).withStopPatience(Duration.ofMillis(200)))
                    .start()) {
                jobs.set(treadle.jobs());
                treadle.jobs().with(JobOptions.DEFAULT.withId(run.id())).enqueue(new RunPayroll(run.period()));
                assertTrue(first.await(120, TimeUnit.SECONDS));
                assertTrue(others.await(120, TimeUnit.SECONDS));
            }
        }
    }

    /** The real handler for the first employees; for the others one that never ends. */
    private static JobRequestHandler<GenerateSlip> firstOnly(
            Office office, DemoOptions options, CountDownLatch first, CountDownLatch others) {
        GenerateSlipHandler real = new GenerateSlipHandler(
                office.employees(),
                options.timeClock(),
                new SlipFiles(options.out(), new SlipRenderer()),
                Clock.systemDefaultZone(),
                0);
        return (request, context) -> {
            if (request.employeeId() <= FIRST) {
                real.run(request, context);
                first.countDown();
            } else {
                others.countDown();
                TimeUnit.HOURS.sleep(1);
            }
        };
    }

    private boolean demo(String storage) throws IOException, SQLException, InterruptedException {
        return new Demo(options(storage), new PrintStream(bytes, true, StandardCharsets.UTF_8)).run();
    }

    private DemoOptions options(String storage, String... more) {
        Stream<String> usual = Stream.of(
                "--employees=" + EMPLOYEES,
                "--time-clock=0s",
                "--port=0",
                "--clean",
                "--exit",
                "--storage=" + storage,
                "--out=" + folder.resolve("out"),
                "--data=" + folder.resolve("data"));
        return DemoOptions.parse(Stream.concat(usual, Stream.of(more)).toArray(String[]::new));
    }

    private List<Path> slips() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("out"))) {
            return files.filter(file -> file.toString().endsWith(".pdf"))
                    .sorted()
                    .toList();
        }
    }

    private int count(String sql) throws SQLException {
        String url = "jdbc:h2:file:" + folder.resolve("data").resolve("salary-slips") + ";WRITE_DELAY=0";
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            assertTrue(row.next());
            return row.getInt(1);
        }
    }

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
