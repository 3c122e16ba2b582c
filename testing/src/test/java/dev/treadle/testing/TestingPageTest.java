package dev.treadle.testing;

import static dev.treadle.testing.TreadleAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.StateName;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/testing.md, and that the page shows no others. */
class TestingPageTest {
    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @RegisterExtension
    static final TreadleExtension TREADLE =
            TreadleExtension.with(treadle -> treadle.handler(Welcome.class, new WelcomeHandler(new ArrayList<>())));

    private final List<String> mails = new ArrayList<>();

    record Welcome(String to) implements JobRequest<Void> {}

    record Order(String item) implements JobRequest<Void> {}

    /** Something that is written in the transaction of its job. */
    record Book(String table) implements JobRequest<Void> {
        int insert(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("create table if not exists " + table + " (id integer)");
                return statement.executeUpdate("insert into " + table + " (id) values (1)");
            }
        }
    }

    /** Sends a mail, but not to nobody. */
    record WelcomeHandler(List<String> mails) implements JobRequestHandler<Welcome> {
        @Override
        public void run(Welcome welcome, JobContext context) {
            if (welcome.to().equals("nobody")) {
                throw new IllegalArgumentException("nobody has no mail address");
            }
            mails.add("Welcome, " + welcome.to());
        }
    }

    /** What an application does. */
    record SignUp(JobScheduler jobs) {
        void register(String to) {
            jobs.enqueue(new Welcome(to));
        }
    }

    @Test
    void enqueue_assert_run() {
        try (TreadleTest test =
                TreadleTest.with(treadle -> treadle.handler(Welcome.class, new WelcomeHandler(mails)))) {
            SignUp signUp = new SignUp(test.jobs()); // the code under test
            signUp.register("ada@example.org");

            test.assertEnqueued(Welcome.class, welcome -> welcome.to().equals("ada@example.org"));
            test.drain();
            test.assertNoFailures();
            assertEquals(List.of("Welcome, ada@example.org"), mails);
        }
    }

    @Test
    void let_time_pass() {
        try (TreadleTest test =
                TreadleTest.with(treadle -> treadle.handler(Welcome.class, new WelcomeHandler(mails)))) {
            test.jobs().schedule(Duration.ofDays(3), new Welcome("ada@example.org"));
            test.advance(Duration.ofDays(2));
            assertEquals(List.of(), mails);
            test.advance(Duration.ofDays(1));
            assertEquals(List.of("Welcome, ada@example.org"), mails);

            test.jobs().recurring("dawn", Schedule.cron("0 6 * * *", ZoneOffset.UTC), new Welcome("sun"));
            assertEquals(7, test.advance(Duration.ofDays(7)));
        }
    }

    @Test
    void inline() {
        try (TreadleTest test =
                TreadleTest.with(treadle -> treadle.handler(Welcome.class, new WelcomeHandler(mails)))) {
            test.inline();
            new SignUp(test.jobs()).register("ada@example.org");
            assertEquals(List.of("Welcome, ada@example.org"), mails);
        }
    }

    @Test
    void assertj(TreadleTest test) {
        test.jobs().schedule(Duration.ofDays(3), new Welcome("ada@example.org"));

        assertThat(test)
                .enqueued(Welcome.class)
                .with("to Ada", welcome -> welcome.to().startsWith("ada@"))
                .dueIn(Duration.ofDays(3))
                .once();
    }

    @Test
    void faults() {
        List<String> done = new ArrayList<>();
        try (TreadleTest test = TreadleTest.with(treadle -> treadle.handler(Order.class, (order, job) -> {
            job.step("pay", () -> done.add("pay " + order.item()));
            job.step("ship", () -> done.add("ship " + order.item()));
        }))) {
            test.inject(Fault.crashAfterStep("pay").of(Order.class));

            JobId id = test.jobs().enqueue(new Order("book"));
            test.advance(Duration.ofMinutes(5)); // the crash is noticed, and the job runs again

            test.assertState(StateName.SUCCEEDED, id);
            assertEquals(List.of("pay book", "ship book"), done);
        }
    }

    @Test
    void twice() {
        try (TreadleTest test =
                TreadleTest.with(treadle -> treadle.handler(Welcome.class, new WelcomeHandler(mails)))) {
            JobId id = test.jobs().enqueue(new Welcome("ada@example.org"));

            test.runTwice(id);

            assertEquals(2, mails.size()); // not idempotent: Ada gets two mails
        }
    }

    @Test
    void on_a_database() {
        try (TreadleTest test = TreadleTest.on(
                time -> SqlStorageProvider.open(
                        "jdbc:h2:mem:orders", "sa", "", SqlStorageSettings.DEFAULT.withTime(time)),
                treadle -> treadle.handler(Book.class, (book, job) -> job.transaction(book::insert)))) {
            test.jobs().schedule(Duration.ofDays(3), new Book("orders"));
            test.advance(Duration.ofDays(3));
            test.assertNoFailures();
        }
    }

    @Test
    void retries(TreadleTest test) {
        JobId id = test.jobs().enqueue(new Welcome("nobody"));
        test.drain();
        test.assertState(StateName.SCHEDULED, id); // failed once, and waits for its retry
        test.advance(Duration.ofDays(1));
        test.assertState(StateName.FAILED, id); // no attempt is left
    }

    @Test
    void a_new_user_is_welcomed(TreadleTest test) {
        new SignUp(test.jobs()).register("ada@example.org");
        assertEquals(1, test.drain());
    }

    @Test
    void the_page_shows_what_is_run_here() throws IOException {
        String source = squeezed(Files.readString(Path.of("src/test/java/dev/treadle/testing/TestingPageTest.java")));
        Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../docs/testing.md")));
        int examples = 0;
        while (example.find()) {
            for (String part : example.group(1).split("\n\n")) {
                assertTrue(source.contains(squeezed(part)), part);
            }
            examples++;
        }
        assertEquals(9, examples);
    }

    /** The formatter breaks lines elsewhere than a page does. */
    private static String squeezed(String code) {
        return code.replaceAll("\\s+", "");
    }
}
