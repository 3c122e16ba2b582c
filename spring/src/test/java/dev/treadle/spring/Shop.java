package dev.treadle.spring;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.transaction.TransactionMode;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.springframework.jdbc.core.JdbcTemplate;

/** An application with one table, whose orders have receipts sent by jobs. */
final class Shop implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(30);

    final HikariDataSource database;
    final JdbcTemplate jdbc;
    final Treadle treadle;
    private final Set<String> sent = ConcurrentHashMap.newKeySet();

    record SendReceipt(String order) implements JobRequest<Void> {}

    Shop(Database database) {
        this(database.pool(), treadle -> treadle);
    }

    Shop(HikariDataSource database, UnaryOperator<Treadle.Builder> with) {
        this.database = database;
        this.jdbc = new JdbcTemplate(database);
        jdbc.execute("create table orders (id varchar(100) primary key)");
        this.treadle = with.apply(Treadle.on(SqlStorageProvider.using(database))
                        .handler(SendReceipt.class, (receipt, job) -> sent.add(receipt.order())))
                .start();
    }

    JobScheduler jobs() {
        return treadle.jobs();
    }

    JobScheduler jobs(TransactionMode mode) {
        return jobs().with(JobOptions.DEFAULT.withTransactionMode(mode));
    }

    /** Inserts an order on the thread's connection, and has its receipt sent. */
    JobId order(String id) {
        jdbc.update("insert into orders values (?)", id);
        return jobs().enqueue(new SendReceipt(id));
    }

    boolean hasOrder(String id) {
        return jdbc.queryForObject("select count(*) from orders where id = ?", Integer.class, id) == 1;
    }

    /** Whether others see the job. */
    boolean hasJob(JobId id) {
        return jobs(TransactionMode.OWN).find(id).isPresent();
    }

    void awaitSent(String order) {
        Awaitility.await().atMost(SOON).until(() -> sent.contains(order));
    }

    @Override
    public void close() {
        treadle.close();
        database.close();
    }
}
