package dev.treadle.benchmark;

import dev.treadle.benchmark.BareClaimer.Claimed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What is left of a job server without an engine: a thread that claims, a thread that completes, a thread per job. */
final class BareLoop {
    private static final int BATCH_MAX = 1_000;
    private static final int IDLE_MILLIS = 2;

    private final Database database;
    private final BareStatements statements;
    private final Consumer<Work> body;
    private final Semaphore room;
    private final LinkedBlockingQueue<Claimed> done = new LinkedBlockingQueue<>();
    private final Thread claimer = new Thread(this::claimUntilStopped, "bare-claim");
    private final Thread completer = new Thread(this::completeUntilStopped, "bare-complete");
    private volatile boolean stopped;

    BareLoop(Database database, BareStatements statements, Consumer<Work> body, int workers) {
        this.database = database;
        this.statements = statements;
        this.body = body;
        // twice the workers, so that a claim goes on while the last one's jobs are written down
        this.room = new Semaphore(2 * workers);
    }

    void start() {
        claimer.start();
        completer.start();
    }

    void stop() throws InterruptedException {
        stopped = true;
        claimer.join();
        completer.join();
    }

    private void claimUntilStopped() {
        try (Connection connection = database.connect()) {
            BareContender.planByIndex(connection);
            BareClaimer claim = new BareClaimer(connection, statements);
            while (!stopped) {
                int permits = Math.min(BATCH_MAX, Math.max(1, room.availablePermits()));
                room.acquire(permits);
                List<Claimed> claimed = claim.claim(permits);
                room.release(permits - claimed.size());
                claimed.forEach(one -> Thread.startVirtualThread(() -> {
                    body.accept(one.work());
                    done.add(one);
                }));
                if (claimed.isEmpty()) {
                    Thread.sleep(IDLE_MILLIS);
                }
            }
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void completeUntilStopped() {
        try (Connection connection = database.connect()) {
            BareContender.planByIndex(connection);
            PreparedStatement complete = connection.prepareStatement(statements.complete());
            List<Claimed> batch = new ArrayList<>();
            while (!stopped) {
                Claimed first = done.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    batch.add(first);
                    done.drainTo(batch, BATCH_MAX - 1);
                    complete(connection, complete, batch);
                    room.release(batch.size());
                    batch.clear();
                }
            }
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void complete(Connection connection, PreparedStatement complete, List<Claimed> batch)
            throws SQLException {
        complete.setArray(
                1,
                connection.createArrayOf("uuid", batch.stream().map(Claimed::id).toArray(UUID[]::new)));
        complete.setArray(
                2,
                connection.createArrayOf(
                        "int8", batch.stream().map(Claimed::token).toArray(Long[]::new)));
        complete.setArray(
                3,
                connection.createArrayOf("int8", batch.stream().map(one -> 0L).toArray(Long[]::new)));
        complete.executeQuery().close();
    }
}
