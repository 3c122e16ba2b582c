package dev.treadle.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.spring.Shop.SendReceipt;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A server in another process hears of a commit at once, whichever way the job came into the transaction. */
class OtherProcessTest {
    private static final int SECONDS_MAX = 60;
    private static final int JOBS = 9;
    /** Who is not told looks every two seconds. */
    private static final long AT_ONCE_MILLIS = 500;

    @Test
    void hears_of_commits_at_once() throws IOException, InterruptedException {
        String url = Database.newPostgresUrl();
        try (HikariDataSource database = Database.pool(url);
                Treadle treadle = Treadle.on(SqlStorageProvider.using(database)).enqueueOnly();
                Worker worker = new Worker(url).reading()) {
            worker.awaitLine("READY");
            var transaction = new TransactionTemplate(new JdbcTransactionManager(database));

            assertAtOnce(
                    worker,
                    order -> transaction.executeWithoutResult(status -> {
                        treadle.jobs().enqueue(new SendReceipt(order));
                    }));
            assertAtOnce(
                    worker,
                    order -> treadle.jobs().transaction(database, connection -> {
                        return treadle.jobs().enqueue(new SendReceipt(order));
                    }));
            assertAtOnce(worker, order -> {
                try (Connection connection = database.getConnection()) {
                    connection.setAutoCommit(false);
                    treadle.jobs().in(connection).enqueue(new SendReceipt(order));
                    connection.commit();
                } catch (java.sql.SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    private static void assertAtOnce(Worker worker, Consumer<String> commit) throws InterruptedException {
        List<Long> millis = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            long begin = System.nanoTime();
            commit.accept("order " + i);
            worker.awaitLine("SENT order " + i);
            millis.add((System.nanoTime() - begin) / 1_000_000);
        }
        Collections.sort(millis);
        assertEquals(JOBS, millis.size());
        assertTrue(millis.get(JOBS / 2) < AT_ONCE_MILLIS, () -> "from the transaction's begin to the job's: " + millis);
    }

    /** A {@link ReceiptWorker} in a JVM of its own. */
    private static final class Worker implements AutoCloseable {
        private final Process process;
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private final Thread reader = new Thread(this::read, "worker-lines");

        Worker(String url) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx128m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ReceiptWorker.class.getName(),
                            url)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        }

        Worker reading() {
            reader.start();
            return this;
        }

        private void read() {
            try (BufferedReader output = process.inputReader()) {
                output.lines().forEach(lines::add);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Lines of its log may come before. */
        void awaitLine(String wanted) throws InterruptedException {
            String line;
            do {
                line = lines.poll(SECONDS_MAX, TimeUnit.SECONDS);
                assertNotNull(line, wanted);
            } while (!line.equals(wanted));
        }

        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            try {
                if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
                reader.join();
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
