package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.sql.session.ConnectionSource;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.SqlFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Reads notifications with a thread and a connection of its own, and hands them to the listeners. Thread-safe. */
final class NotificationReader {
    /** How long one wait for notifications lasts, in milliseconds. It ends only so that the reader can be closed. */
    private static final int WAIT_MILLIS = 500;
    /** How often the reader asks whether its server still takes writes, in milliseconds. */
    private static final long ASK_MILLIS = 5_000;

    private final ConnectionSource connections;
    private final String channel;
    private final Listeners listeners;
    private final Consumer<Instant> late;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean listening;
    private volatile boolean closed;
    private volatile @Nullable Thread thread;

    /**
     * @param connections lends the connection that the reader keeps, in a session of its own
     * @param channel     what to listen to
     * @param late        told of transactions that were committed long after they began, before the listeners are
     */
    NotificationReader(ConnectionSource connections, String channel, Listeners listeners, Consumer<Instant> late) {
        this.late = late;
        this.connections = connections;
        this.channel = channel;
        this.listeners = listeners;
    }

    /** Starts the thread, unless it was started before. */
    void start() {
        if (started.compareAndSet(false, true)) {
            thread = BorrowedConnection.thread("treadle-hear", this::readUntilClosed);
        }
    }

    /** Whether notifications are read at present. */
    boolean isListening() {
        return listening;
    }

    /** Ends the thread, and waits for it, because it holds a connection. */
    void close() {
        closed = true;
        Thread reader = thread;
        if (reader != null) {
            try {
                reader.join(2L * WAIT_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void readUntilClosed() {
        // once: what is repeated after a lack of memory must not need any
        BorrowedConnection.Work read = this::read;
        BooleanSupplier isClosed = () -> closed;
        while (!closed) {
            BorrowedConnection.use(connections, "hear of", isClosed, read);
        }
    }

    private void read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen " + channel);
            PGConnection postgres = connection.unwrap(PGConnection.class);
            listening = true;
            // for what was sent before this connection listened
            listeners.each(listener -> listener.lookWithin(Duration.ZERO));
            long askedNanos = System.nanoTime();
            while (!closed) {
                if (System.nanoTime() - askedNanos >= ASK_MILLIS * 1_000_000) {
                    mustTakeWrites(connection);
                    askedNanos = System.nanoTime();
                }
                // this process's own notifications arrive, too; the listeners leave those to others
                for (PGNotification one : postgres.getNotifications(WAIT_MILLIS)) {
                    hear(one.getParameter());
                }
            }
            // the connection may go back to a pool that is not ours
            statement.execute("unlisten " + channel);
        } finally {
            listening = false;
            // from now on they look for themselves
            listeners.each(listener -> listener.lookWithin(Duration.ZERO));
        }
    }

    private void hear(String text) {
        Instant began = NotifyPayload.began(text);
        if (began != null) {
            late.accept(began);
        }
        listeners.heard(NotifyPayload.read(text));
    }

    /** Others notify on the server that takes the writes. Asking also finds out that the connection is gone. */
    private static void mustTakeWrites(Connection connection) throws SQLException {
        if (Rows.onlyText(connection, "show transaction_read_only").equals("on")) {
            throw new SQLException("the server takes no writes any more", SqlFailure.READ_ONLY);
        }
    }
}
