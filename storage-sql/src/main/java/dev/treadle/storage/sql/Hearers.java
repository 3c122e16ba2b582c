package dev.treadle.storage.sql;

import dev.treadle.job.NodeId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether there is anybody to ring for: a node of another process. A ring costs PostgreSQL a commit and a lock that all
 * who ring take in turn, and most applications are one process. Thread-safe.
 */
final class Hearers {
    /**
     * How long an answer counts, in milliseconds: so long a node that has just started may go unheeded, which still asks
     * often by itself then.
     */
    static final long KNOWN_MILLIS = 1_000;

    private final String question;
    private final Set<Long> own = ConcurrentHashMap.newKeySet();
    private volatile long askedNanos;
    private volatile boolean noneSeen;

    /** @param question the statement that finds others than those of an array */
    Hearers(String question) {
        this.question = question;
    }

    /** A node of this process, which is told directly. */
    void isHere(NodeId node) {
        own.add(node.value());
    }

    /** It has left. */
    void isNoLongerHere(NodeId node) {
        own.remove(node.value());
    }

    /** Whether nobody is known to hear. */
    boolean areKnownToBeNone() {
        return noneSeen && System.nanoTime() - askedNanos < KNOWN_MILLIS * 1_000_000;
    }

    /** A ring for others than those here. */
    Ring ring() {
        return new Ring(own.toArray());
    }

    /** What a ring that went with a statement has found out. */
    void answered(Ring ring) {
        Boolean heard = ring.heard();
        if (heard != null) {
            know(heard);
        }
    }

    /** Asks whether anybody hears, unless that has been answered lately. */
    boolean areThere(Connection connection) throws SQLException {
        long now = System.nanoTime();
        if (askedNanos == 0 || now - askedNanos >= KNOWN_MILLIS * 1_000_000) {
            know(ask(connection));
        }
        return !noneSeen;
    }

    private void know(boolean any) {
        noneSeen = !any;
        askedNanos = System.nanoTime();
    }

    private boolean ask(Connection connection) throws SQLException {
        try (PreparedStatement ask = connection.prepareStatement(question)) {
            ask.setArray(1, connection.createArrayOf("int8", own.toArray()));
            try (ResultSet row = ask.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }
}
