package dev.treadle.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.StateName;
import dev.treadle.schedule.Recurring;
import dev.treadle.server.ServerState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** An application as people write them, on real databases, with all auto-configuration that is there. */
@ParameterizedClass
@EnumSource(Database.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApplicationTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @Parameter
    private Database database;

    private String[] connection;

    @BeforeParameterizedClassInvocation
    void makeDatabase() {
        connection = database.properties();
    }

    record SendReceipt(String order) implements JobRequest<Void> {}

    record Wait(String what) implements JobRequest<Void> {}

    /** Places orders, each with a job for its receipt. */
    static class Orders {
        private final JdbcTemplate jdbc;
        private final JobScheduler jobs;
        private final List<JobId> receipts = new ArrayList<>();

        Orders(JdbcTemplate jdbc, JobScheduler jobs) {
            this.jdbc = jdbc;
            this.jobs = jobs;
            jdbc.execute("create table if not exists orders (id varchar(100) primary key, receipt varchar(100))");
        }

        /** A method, because callers see a proxy. */
        public List<JobId> receipts() {
            return receipts;
        }

        @Transactional
        public void place(String order, boolean fails) {
            jdbc.update("insert into orders (id) values (?)", order);
            receipts.add(jobs.enqueue(new SendReceipt(order)));
            if (fails) {
                throw new IllegalStateException("no stock");
            }
        }
    }

    /** Works in a transaction of its own. */
    static class Receipts implements JobRequestHandler<SendReceipt> {
        private final JdbcTemplate jdbc;

        Receipts(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Override
        @Transactional
        public void run(SendReceipt receipt, JobContext job) {
            jdbc.update("update orders set receipt = ? where id = ?", "sent", receipt.order());
        }
    }

    static class Waiter implements JobRequestHandler<Wait> {
        final CountDownLatch began = new CountDownLatch(1);

        @Override
        public void run(Wait request, JobContext job) throws InterruptedException {
            began.countDown();
            while (!job.shouldStop()) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    static class Ticker {
        final AtomicInteger ticks = new AtomicInteger();

        @Recurring(id = "tick", every = "${tick.every}")
        public void tick() {
            ticks.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Receipts.class, Waiter.class, Ticker.class})
    static class Shop {}

    private ConfigurableApplicationContext run(String... properties) {
        return new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .properties(connection)
                .properties("tick.every=200ms", "spring.main.banner-mode=off")
                .properties(properties)
                .run();
    }

    private static StateName state(JobScheduler jobs, JobId id) {
        return jobs.states(Set.of(id)).get(id);
    }

    @Test
    void a_transaction_takes_its_jobs_along() {
        try (ConfigurableApplicationContext context = run()) {
            Orders orders = context.getBean(Orders.class);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);

            orders.place("kept", false);
            assertThatThrownBy(() -> orders.place("gone", true)).hasMessage("no stock");

            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> jdbc.queryForList("select id from orders where receipt = 'sent'", String.class)
                            .equals(List.of("kept")));
            JobScheduler jobs = context.getBean(JobScheduler.class);
            assertThat(orders.receipts()).hasSize(2);
            assertThat(jobs.find(orders.receipts().get(1))).isEmpty();
            assertThat(jdbc.queryForObject("select count(*) from orders", Integer.class))
                    .isOne();
            jdbc.update("delete from orders");
        }
    }

    @Test
    void it_closes_gracefully_with_a_running_job_and_starts_again() throws InterruptedException {
        JobId running;
        JobId later;
        Treadle treadle;
        try (ConfigurableApplicationContext context = run()) {
            treadle = context.getBean(Treadle.class);
            running = treadle.jobs().enqueue(new Wait("for the end"));
            later = treadle.jobs().schedule(Duration.ofMillis(500), new Wait("for the next start"));
            assertThat(context.getBean(Waiter.class).began.await(30, TimeUnit.SECONDS))
                    .isTrue();
        }
        assertThat(treadle.server().orElseThrow().state()).isEqualTo(ServerState.STOPPED);

        try (ConfigurableApplicationContext context = run("treadle.server.executor=pool")) {
            JobScheduler jobs = context.getBean(JobScheduler.class);
            assertThat(jobs.find(running).orElseThrow().history())
                    .extracting(HistoryEntry::next)
                    .containsExactly(StateName.SUCCEEDED);
            assertThat(context.getBean(Waiter.class).began.await(30, TimeUnit.SECONDS))
                    .isTrue();
            context.stop();
            assertThat(state(jobs, later)).isEqualTo(StateName.SUCCEEDED);

            context.start();

            AtomicInteger ticks = context.getBean(Ticker.class).ticks;
            int before = ticks.get();
            Awaitility.await().atMost(SOON).until(() -> ticks.get() > before);
        }
    }
}
