package dev.treadle.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.spring.FrameworksTest.BookOrder;
import dev.treadle.spring.FrameworksTest.OrderMapper;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.transaction.TransactionMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.awaitility.Awaitility;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** The examples of docs/transactions.md, and that the page shows no others. */
class TransactionsPageTest {
    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Table<Record> ORDERS = DSL.table("orders");

    private final HikariDataSource dataSource = Database.H2.pool();
    private final Orders orders = new Orders();
    private final List<String> charged = new CopyOnWriteArrayList<>();
    private final Treadle treadle;
    private final JobScheduler jobs;

    record Order(String id) {}

    record SendReceipt(String order) implements JobRequest<Void> {}

    interface Payments {
        void charge(String key, String order);
    }

    /** The application's own SQL. */
    static final class Orders {
        void insert(Connection connection, Order order) throws SQLException {
            update(connection, "insert into orders values (?)", order.id());
        }

        int markReceipted(Connection connection, String id) throws SQLException {
            return update(connection, "insert into receipts values (?)", id);
        }

        private static int update(Connection connection, String sql, String id) throws SQLException {
            try (PreparedStatement insert = connection.prepareStatement(sql)) {
                insert.setString(1, id);
                return insert.executeUpdate();
            }
        }
    }

    record Receipts(Orders orders) implements JobRequestHandler<SendReceipt> {
        @Override
        public void run(SendReceipt receipt, JobContext job) throws SQLException {
            job.transaction(connection -> orders.markReceipted(connection, receipt.order()));
        }
    }

    record Charge(String order) implements JobRequest<Void> {}

    /** What places orders in Spring's transactions. */
    static class Placing {
        private final JdbcTemplate jdbc;
        private final JobScheduler jobs;

        Placing(JdbcTemplate jdbc, JobScheduler jobs) {
            this.jdbc = jdbc;
            this.jobs = jobs;
        }

        @Transactional
        public void place(Order order) {
            jdbc.update("insert into orders values (?)", order.id());
            jobs.enqueue(new SendReceipt(order.id()));
        }

        @Transactional
        public void placeAndFail(Order order) {
            place(order);
            throw new IllegalStateException("no");
        }
    }

    @EnableTransactionManagement(proxyTargetClass = true)
    static class Proxies {}

    TransactionsPageTest() {
        var jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("create table orders (id varchar(100) primary key)");
        jdbc.execute("create table receipts (id varchar(100) primary key)");
        this.treadle = Treadle.on(SqlStorageProvider.using(dataSource))
                .handler(SendReceipt.class, new Receipts(orders))
                .handler(Charge.class, (receipt, job) -> charge((key, order) -> charged.add(key), receipt, job))
                .start();
        this.jobs = treadle.jobs();
    }

    private static void charge(Payments payments, Charge receipt, JobContext job) throws Exception {
        job.step("charge", () -> payments.charge(job.jobId() + "/charge", receipt.order()));
    }

    @AfterEach
    void close() {
        treadle.close();
        dataSource.close();
    }

    private void assertReceipted(String order) {
        var jdbc = new JdbcTemplate(dataSource);
        assertEquals(1, jdbc.queryForObject("select count(*) from orders where id = ?", Integer.class, order));
        Awaitility.await()
                .atMost(java.time.Duration.ofSeconds(30))
                .until(() ->
                        jdbc.queryForObject("select count(*) from receipts where id = ?", Integer.class, order) == 1);
    }

    @Test
    void plain_jdbc() throws SQLException {
        Order order = new Order("plain");
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            orders.insert(connection, order);
            jobs.in(connection).enqueue(new SendReceipt(order.id()));
            connection.commit();
        }
        assertReceipted("plain");
    }

    @Test
    void a_block() throws SQLException {
        Order order = new Order("block");
        jobs.transaction(dataSource, connection -> {
            orders.insert(connection, order);
            return jobs.enqueue(new SendReceipt(order.id()));
        });
        assertReceipted("block");
    }

    @Test
    void spring() {
        try (var context = new AnnotationConfigApplicationContext()) {
            context.registerBean(DataSource.class, () -> dataSource, bean -> bean.setDestroyMethodName(""));
            context.registerBean(JdbcTransactionManager.class, () -> new JdbcTransactionManager(dataSource));
            context.registerBean(Placing.class, () -> new Placing(new JdbcTemplate(dataSource), jobs));
            context.register(Proxies.class);
            context.refresh();
            Placing placing = context.getBean(Placing.class);

            placing.place(new Order("spring"));
            try {
                placing.placeAndFail(new Order("failed"));
            } catch (IllegalStateException expected) {
                assertEquals("no", expected.getMessage());
            }
        }
        assertReceipted("spring");
        assertEquals(
                1,
                new JdbcTemplate(dataSource).queryForObject("select count(*) from treadle_job", Integer.class),
                "the job of the order that failed is not there");
    }

    @Test
    void hibernate() {
        BookOrder order = new BookOrder("hibernate");
        var configuration = new org.hibernate.cfg.Configuration().addAnnotatedClass(BookOrder.class);
        configuration.getProperties().put("hibernate.connection.datasource", dataSource);
        try (SessionFactory sessions = configuration.buildSessionFactory();
                Session session = sessions.openSession()) {
            session.beginTransaction();
            session.persist(order);
            session.doWork(connection -> jobs.in(connection).enqueue(new SendReceipt(order.id())));
            session.getTransaction().commit();
        }
        assertReceipted("hibernate");
    }

    @Test
    void jooq() {
        Order order = new Order("jooq");
        DSLContext create = DSL.using(dataSource, SQLDialect.H2);
        create.transaction(within -> within.dsl().connection(connection -> {
            within.dsl().insertInto(ORDERS).values(order.id()).execute();
            jobs.in(connection).enqueue(new SendReceipt(order.id()));
        }));
        assertReceipted("jooq");
    }

    @Test
    void mybatis() {
        Order order = new Order("mybatis");
        var configuration = new Configuration(new Environment("test", new JdbcTransactionFactory(), dataSource));
        configuration.addMapper(OrderMapper.class);
        SqlSessionFactory sessions = new SqlSessionFactoryBuilder().build(configuration);
        try (SqlSession session = sessions.openSession(false)) {
            session.getMapper(OrderMapper.class).insert(order.id());
            jobs.in(session.getConnection()).enqueue(new SendReceipt(order.id()));
            session.commit();
        }
        assertReceipted("mybatis");
    }

    @Test
    void modes_and_keys_of_repetition() {
        JobScheduler afterCommit = jobs.with(JobOptions.DEFAULT.withTransactionMode(TransactionMode.AFTER_COMMIT));
        var id = jobs.transaction(dataSource, connection -> afterCommit.enqueue(new Charge("card")));

        Awaitility.await().atMost(java.time.Duration.ofSeconds(30)).until(() -> charged.contains(id + "/charge"));
    }

    @Test
    void the_page_shows_what_is_run_here() throws IOException {
        String sources =
                squeezed(Files.readString(Path.of("src/test/java/dev/treadle/spring/TransactionsPageTest.java"))
                        + Files.readString(Path.of("../jta/src/test/java/dev/treadle/jta/JtaPageTest.java")));
        String page = Files.readString(Path.of("../docs/transactions.md"));
        Matcher example = EXAMPLE.matcher(page);
        int examples = 0;
        while (example.find()) {
            assertTrue(sources.contains(squeezed(example.group(1))), example.group(1));
            examples++;
        }
        assertEquals(10, examples);
        assertFalse(page.contains("\t"));
    }

    /** The formatter breaks lines elsewhere than a page does. */
    private static String squeezed(String code) {
        return code.replaceAll("\\s+", "");
    }
}
