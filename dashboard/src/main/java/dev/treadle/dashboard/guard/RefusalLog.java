package dev.treadle.dashboard.guard;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log what was refused, and so often and no more: strangers decide how often that happens. Thread-safe. */
public final class RefusalLog {
    /** Most lines in a {@link #WINDOW}; further ones are counted. */
    static final int LINES_MAX = 20;

    static final Duration WINDOW = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);

    private final InstantSource time;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}. */
    private Instant begin = Instant.EPOCH;
    /** Guarded by {@link #lock}. */
    private int lines;

    /** @param time for the window */
    public RefusalLog(InstantSource time) {
        this.time = time;
    }

    /** Writes a line, if there is room for one. */
    public void refused(String what, Object... values) {
        int unsaid = 0;
        boolean says;
        lock.lock();
        try {
            Instant now = time.instant();
            if (!now.isBefore(begin.plus(WINDOW))) {
                unsaid = Math.max(0, lines - LINES_MAX);
                begin = now;
                lines = 0;
            }
            lines++;
            says = lines <= LINES_MAX;
        } finally {
            lock.unlock();
        }
        if (unsaid > 0) {
            LOG.warn("The dashboard refused {} more requests since, without a line for each.", unsaid);
        }
        if (says) {
            LOG.warn(what, values);
        }
    }

    /** A text of strangers, for one line of a log. */
    public static String printable(String text) {
        String plain = text.replaceAll("[^\\x20-\\x7e]", "?");
        return plain.length() > 200 ? plain.substring(0, 200) + "…" : plain;
    }
}
