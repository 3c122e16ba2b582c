package dev.treadle.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.postgres.PrivatePostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shop is stopped while customers order: each order that was answered keeps its jobs. */
@Tag("packaged")
@Timeout(300)
class StopTest {
    private static final int CUSTOMERS = 8;
    private static final int ORDERS_BEFORE_STOP = 60;
    /** What Java says of a process that SIGTERM or SIGKILL ended. */
    private static final int SIGNALLED = 128;

    @TempDir
    private Path folder;

    enum Signal {
        TERM(15) {
            @Override
            void send(RunningShop shop) {
                shop.terminate();
            }
        },
        KILL(9) {
            @Override
            void send(RunningShop shop) {
                shop.kill();
            }
        };

        private final int number;

        Signal(int number) {
            this.number = number;
        }

        abstract void send(RunningShop shop);
    }

    private static final class Postgres {
        static final PrivatePostgres SERVER = PrivatePostgres.start("treadle-shop", "postgres", List.of());
    }

    @ParameterizedTest
    @CsvSource({"TERM, H2", "KILL, H2", "KILL, POSTGRESQL"})
    void no_answered_order_loses_a_job(Signal signal, String database) throws Exception {
        Queue<String> answered = new ConcurrentLinkedQueue<>();
        Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
        try (RunningShop shop = shop(database).awaitStart(1)) {
            List<Thread> customers = new ArrayList<>();
            for (int i = 0; i < CUSTOMERS; i++) {
                Thread customer = new Thread(() -> orderUntilRefused(shop, answered, wrong));
                customers.add(customer);
                customer.start();
            }
            Awaitility.await()
                    .atMost(RunningShop.SOON)
                    .until(() -> answered.size() >= ORDERS_BEFORE_STOP || !wrong.isEmpty());
            signal.send(shop);
            assertEquals(SIGNALLED + signal.number, shop.end(), shop::printed);
            for (Thread customer : customers) {
                customer.join(RunningShop.SOON.toMillis());
            }
            assertTrue(wrong.isEmpty(), () -> wrong.peek() + "\n" + shop.printed());
        }

        try (RunningShop shop = shop(database).awaitStart(1)) {
            int left = Integer.parseInt(RunningShop.field(shop.get("/"), "unfinished"));
            shop.awaitAllFinished();
            for (String order : answered) {
                Awaitility.await().atMost(RunningShop.SOON).until(() -> isFinished(shop.get("/orders/" + order)));
            }
            assertTrue(left > 0, "all was finished before the stop, which proves nothing");
        }
    }

    private static boolean isFinished(String order) {
        int receipts = Integer.parseInt(RunningShop.field(order, "receipts"));
        int packed = Integer.parseInt(RunningShop.field(order, "packed"));
        return receipts > 0
                && packed > 0
                && RunningShop.field(order, "receiptJob").equals("SUCCEEDED");
    }

    private static void orderUntilRefused(RunningShop shop, Queue<String> answered, Queue<Throwable> wrong) {
        try {
            while (true) {
                answered.add(shop.order());
            }
        } catch (IOException e) {
            // it does not listen any more, or the answer broke off
            return;
        } catch (InterruptedException | AssertionError e) {
            wrong.add(e);
        }
    }

    private RunningShop shop(String database) throws IOException {
        List<String> properties = new ArrayList<>(List.of(
                // so that some run when the signal comes, and some wait
                "shop.mail-takes=500ms",
                "treadle.server.workers=20",
                "treadle.server.dead-after=3s",
                "treadle.server.stop-patience=500ms"));
        if (database.equals("POSTGRESQL")) {
            properties.add("spring.datasource.url=" + Postgres.SERVER.url("postgres") + "?socketTimeout=60");
            properties.add("spring.datasource.username=postgres");
        }
        return RunningShop.start(
                RunningShop.newestJdk(),
                List.of("-jar", RunningShop.jar().toString()),
                folder,
                properties.toArray(String[]::new));
    }
}
