package dev.treadle.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.ChildResults;
import dev.treadle.job.Children;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JoinRule;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.storage.admin.AdminStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What applications do with steps, transactions, children and events together: the examples that the pages show. */
@ParameterizedClass
@EnumSource(GateFixture.Kind.class)
@Timeout(240)
class ExamplesTest extends GateFixture {
    private static final Path SOURCE = Path.of("src/test/java/dev/treadle/gates/ExamplesTest.java");

    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    ExamplesTest(Kind kind) {
        super(kind);
    }

    // ---- an order and its receipt in one commit ----

    record Order(String id) {}

    record SendReceipt(String order) implements JobRequest<String> {}

    private static final class Orders {
        void insert(Connection connection, Order order) throws SQLException {
            write(connection, "insert into orders values (?)", order.id());
        }
    }

    private static void write(Connection connection, String sql, String value) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            insert.setString(1, value);
            insert.executeUpdate();
        }
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = Objects.requireNonNull(database).getConnection();
                Statement create = connection.createStatement()) {
            create.execute(statement);
        }
    }

    private long rows(String table) throws SQLException {
        try (Connection connection = Objects.requireNonNull(database).getConnection();
                Statement select = connection.createStatement();
                ResultSet row = select.executeQuery("select count(*) from " + table)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void an_order_takes_its_job_along() throws Exception {
        Assumptions.assumeTrue(database != null, "memory has no transactions");
        DataSource dataSource = Objects.requireNonNull(database);
        sql("create table orders (id varchar(100) primary key)");
        Orders orders = new Orders();
        JobScheduler jobs = opened(builder()
                        .resultHandler(SendReceipt.class, (receipt, job) -> {
                            done.add(receipt.order());
                            return receipt.order();
                        })
                        .start())
                .jobs();
        for (Order order : List.of(new Order("first"), new Order("second"))) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                orders.insert(connection, order);
                JobId id = jobs.in(connection).enqueue(new SendReceipt(order.id()));
                if (order.id().equals("first")) {
                    connection.rollback();
                    assertTrue(jobs.find(id).isEmpty(), "rolled back with its order");
                } else {
                    connection.commit();
                    assertEquals(
                            "second",
                            jobs.await(id, String.class, Duration.ofSeconds(60)).orElseThrow());
                }
            }
        }
        assertEquals(1, rows("orders"));
        assertEquals(List.of("second"), List.copyOf(done));
    }

    // ---- once in the database, and undone by hand where that fails ----

    record Charge(String account) implements JobRequest<Receipt> {}

    record Receipt(String number) {}

    private static final class AccountClosedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private interface Bank {
        Receipt charge(Charge charge, String key) throws IOException;

        void refund(Receipt paid, String key);
    }

    private interface Accounts {
        void book(Connection connection, Charge charge, Receipt paid) throws SQLException;
    }

    private Treadle charges(Bank bank, Accounts accounts) {
        return opened(builder()
                .retry(
                        IOException.class,
                        RetryPolicy.DEFAULT.withAttempts(3).withDelays(Duration.ofMillis(10), Duration.ofMillis(20)))
                .resultHandler(Charge.class, (charge, job) -> {
                    Receipt paid = job.step("pay", () -> bank.charge(charge, job.jobId() + "/pay"));
                    try {
                        return job.transaction(connection -> {
                            accounts.book(connection, charge, paid);
                            return paid;
                        });
                    } catch (AccountClosedException e) {
                        job.step("refund", () -> bank.refund(paid, job.jobId() + "/refund"));
                        throw new GiveUpException("The account is closed; its money is back.", e);
                    }
                })
                .start());
    }

    @Test
    void a_payment_is_made_once_booked_once_and_given_back_where_it_cannot_be_booked() throws Exception {
        Assumptions.assumeTrue(database != null, "memory has no transactions");
        sql("create table bookings (account varchar(100) primary key)");
        Bank bank = new Bank() {
            @Override
            public Receipt charge(Charge charge, String key) throws IOException {
                done.add("charged " + charge.account());
                if (done.size() == 1) {
                    throw new IOException("the bank is away");
                }
                return new Receipt("for " + charge.account());
            }

            @Override
            public void refund(Receipt paid, String key) {
                done.add("gave back what was " + paid.number());
            }
        };
        Treadle treadle = charges(bank, (connection, charge, paid) -> {
            if (charge.account().equals("closed")) {
                throw new AccountClosedException();
            }
            write(connection, "insert into bookings values (?)", charge.account());
        });

        JobId good = treadle.jobs().enqueue(new Charge("open"));
        assertEquals(
                new Receipt("for open"),
                treadle.jobs()
                        .await(good, Receipt.class, Duration.ofSeconds(60))
                        .orElseThrow());
        JobId bad = treadle.jobs().enqueue(new Charge("closed"));
        awaitState(treadle, bad, StateName.FAILED);

        assertEquals(1, rows("bookings"));
        assertEquals(
                List.of("charged open", "charged open", "charged closed", "gave back what was for closed"),
                List.copyOf(done));
    }

    // ---- fan-out and fan-in with results ----

    record CloseYear(int year) implements JobRequest<String> {}

    record Slip(CloseYear year, int employee) implements JobRequest<Pdf> {}

    record Report(CloseYear year, long failed) implements JobRequest<Void> {}

    record Pdf(String text) {}

    private interface Employees {
        Stream<Integer> ids(CloseYear year);
    }

    private interface Archive {
        String zip(Stream<Pdf> pdfs);
    }

    private Treadle years(Employees employees, Archive archive, CountDownLatch hold) {
        return opened(builder()
                .retry(IllegalStateException.class, RetryPolicy.NEVER)
                .resultHandler(CloseYear.class, (year, job) -> {
                    Children<Pdf> slips = job.spawn("slip", employees.ids(year).map(id -> new Slip(year, id)));
                    ChildResults<Pdf> all = slips.join(JoinRule.ALL_END); // suspended here, for hours if need be
                    job.spawn("report", new Report(year, all.failedCount())).join();
                    try (Stream<Pdf> pdfs = all.succeeded()) {
                        return archive.zip(pdfs); // page by page, in the order of spawning
                    }
                })
                .resultHandler(Slip.class, (slip, job) -> {
                    hold.await();
                    if (slip.employee() % 100 == 7) {
                        throw new IllegalStateException("no such employee");
                    }
                    return new Pdf(String.valueOf(slip.employee()));
                })
                .handler(Report.class, (report, job) -> {
                    done.add(report.failed() + " failed");
                })
                .start());
    }

    @Test
    void a_year_is_closed_with_what_succeeded_and_a_report_of_what_did_not() throws Exception {
        int count = 1_300;
        Treadle treadle = years(
                year -> IntStream.range(0, count).boxed(),
                pdfs -> {
                    List<String> texts = pdfs.map(Pdf::text).toList();
                    return texts.size() + " from " + texts.get(0) + " to " + texts.get(texts.size() - 1);
                },
                new CountDownLatch(0));

        JobId id = treadle.jobs().enqueue(new CloseYear(2026));

        assertEquals(
                "1287 from 0 to 1299",
                treadle.jobs().await(id, String.class, Duration.ofSeconds(120)).orElseThrow());
        assertEquals(List.of("13 failed"), List.copyOf(done));
    }

    @Test
    void cancelling_the_year_cancels_its_slips() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        Treadle treadle = years(year -> IntStream.range(0, 300).boxed(), pdfs -> "never", hold);
        JobId id = treadle.jobs().enqueue(new CloseYear(2026));
        awaitState(treadle, id, StateName.WAITING);

        treadle.jobs().cancel(id, "anna", "wrong year");

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertEquals(
                        301,
                        AdminStorage.of(treadle.storage()).search().counts().get(StateName.CANCELLED)));
        assertEquals(List.of(), List.copyOf(done));
        hold.countDown();
    }

    // ---- waiting for a person, with an end ----

    record Refund(int order) implements JobRequest<String> {}

    enum Decision {
        YES,
        NO
    }

    private interface Mail {
        void ask(Refund refund, String link);
    }

    private interface Ledger {
        String refund(Refund refund);
    }

    private static String link(JobId id) {
        return "https://shop/refunds/" + id;
    }

    private Treadle refunds(Mail mail, Ledger ledger) {
        return opened(builder()
                .resultHandler(Refund.class, (refund, job) -> {
                    job.step("ask", () -> mail.ask(refund, link(job.jobId())));
                    Decision decision = job.await("decision", Decision.class, Duration.ofDays(3))
                            .orElse(Decision.NO);
                    return decision == Decision.YES ? ledger.refund(refund) : null;
                })
                .start());
    }

    @Test
    void a_refund_waits_for_a_person_who_is_asked_once() throws Exception {
        Treadle treadle = refunds((refund, link) -> done.add("asked"), refund -> "refunded " + refund.order());
        JobScheduler jobs = treadle.jobs();
        JobId id = jobs.enqueue(new Refund(7));
        JobId refused = jobs.enqueue(new Refund(8));
        awaitState(treadle, id, StateName.WAITING);

        jobs.signal(id, "decision", Decision.YES); // elsewhere, also in a transaction of yours
        jobs.signal(refused, "decision", Decision.NO);

        assertEquals(
                "refunded 7",
                jobs.await(id, String.class, Duration.ofSeconds(60)).orElseThrow());
        assertTrue(jobs.await(refused, String.class, Duration.ofSeconds(60)).isEmpty());
        assertEquals(List.of("asked", "asked"), List.copyOf(done));
    }

    @Test
    void the_pages_show_what_is_run_here() throws IOException {
        String source = squeezed(Files.readString(SOURCE));
        List<String> shown = Stream.of("children", "steps")
                .flatMap(page -> examples("../docs/" + page + ".md").stream())
                .filter(source::contains)
                .toList();
        for (String part : List.of(
                "job.step(\"refund\"",
                "slips.join(JoinRule.ALL_END)",
                "Decision.class,Duration.ofDays(3)",
                "jobs.signal(id,\"decision\",Decision.YES)")) {
            assertTrue(
                    shown.stream().anyMatch(example -> example.contains(part)),
                    "No page shows the example with " + part + " as it is run here.");
        }
    }

    private static List<String> examples(String page) {
        try {
            return Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                    .matcher(Files.readString(Path.of(page)))
                    .results()
                    .map(found -> squeezed(found.group(1)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The formatter breaks lines elsewhere than a page does, and a page says more in comments. */
    private static String squeezed(String code) {
        return code.replaceAll("(?<!:)//.*", "").replaceAll("\\s+", "");
    }
}
