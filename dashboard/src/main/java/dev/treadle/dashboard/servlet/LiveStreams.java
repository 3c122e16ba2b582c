package dev.treadle.dashboard.servlet;

import dev.treadle.dashboard.web.Response;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Live streams, each on a thread of its own: a viewer holds none of the container's. The route that gives them out knows
 * how many there may be. Thread-safe.
 */
final class LiveStreams {
    private static final Logger LOG = LoggerFactory.getLogger(LiveStreams.class);

    private final AtomicLong number = new AtomicLong();
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();
    private volatile boolean open;

    void open() {
        open = true;
    }

    boolean areOpen() {
        return open;
    }

    /** Ends all, and takes no more. */
    void close() {
        open = false;
        running.forEach(Thread::interrupt);
    }

    /** Writes a stream until it ends, its reader goes, or these are closed. */
    void run(Response.Stream stream, AsyncContext async) {
        async.addListener(new EndedOnError());
        Thread thread = new Thread(() -> write(stream, async), "treadle-dashboard-live-" + number.incrementAndGet());
        thread.setDaemon(true);
        running.add(thread);
        thread.start();
        if (!open) {
            // why again: it may have come after the others were ended
            thread.interrupt();
        }
    }

    private void write(Response.Stream stream, AsyncContext async) {
        try {
            stream.to(async.getResponse().getOutputStream());
        } catch (IOException e) {
            LOG.debug("A client went away.", e);
        } catch (InterruptedException e) {
            LOG.debug("The live streams were ended.", e);
        } finally {
            running.remove(Thread.currentThread());
            complete(async);
        }
    }

    /**
     * Ends a request whose reader has gone. Otherwise the container asks the application for a page about the error, which
     * nobody would see, and which fails because a stream has begun.
     */
    private static final class EndedOnError implements AsyncListener {
        @Override
        public void onError(AsyncEvent event) {
            LOG.debug("A live stream failed.", event.getThrowable());
            complete(event.getAsyncContext());
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    private static void complete(AsyncContext async) {
        try {
            async.complete();
        } catch (IllegalStateException e) {
            LOG.debug("The container has ended the request itself.", e);
        }
    }
}
