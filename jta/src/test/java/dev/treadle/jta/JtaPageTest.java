package dev.treadle.jta;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.storage.sql.SqlStorageProvider;
import jakarta.transaction.TransactionManager;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The example with JTA of docs/transactions.md. */
class JtaPageTest {
    private static final Set<JobId> SENT = ConcurrentHashMap.newKeySet();

    record SendReceipt(String order) implements JobRequest<Void> {}

    static final class Receipts implements JobRequestHandler<SendReceipt> {
        @Override
        public void run(SendReceipt receipt, JobContext job) {
            SENT.add(job.jobId());
        }
    }

    @Test
    void jta() throws Exception {
        String url = Database.H2.newUrl();
        TransactionManager transactionManager = Managed.NARAYANA.manager();
        DataSource jtaDataSource = Managed.NARAYANA.enlisting(Database.H2, url);
        HikariDataSource pool = Database.pool(url);
        Treadle treadle = Treadle.on(SqlStorageProvider.using(pool))
                .transactionLink(JtaTransactionLink.of(transactionManager))
                .transactionsOf(jtaDataSource)
                .handler(SendReceipt.class, new Receipts())
                .start();
        try (pool;
                treadle) {
            transactionManager.begin();
            JobId id = treadle.jobs().enqueue(new SendReceipt("jta"));
            assertTrue(treadle.jobs().find(id).isPresent());
            transactionManager.commit();

            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> SENT.contains(id));
        }
    }
}
