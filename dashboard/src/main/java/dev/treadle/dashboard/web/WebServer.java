package dev.treadle.dashboard.web;

import dev.treadle.dashboard.web.RequestReader.Received;
import dev.treadle.dashboard.web.RequestReader.Refused;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small HTTP/1.1 server under a handler. One thread reads and writes for all connections, so that clients who send or
 * read slowly hold no thread; workers make the answers, and the signs of life have workers of their own.
 */
public final class WebServer implements AutoCloseable {
    /** Most requests that are answered at once, live streams among them. */
    public static final int WORKERS_MAX = 100;

    private static final int SPARED_WORKERS = 2;
    private static final int SPARED_WAITING_MAX = 100;
    private static final int IDLE_SECONDS = 30;
    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);

    private final Listener listener;
    private final Handler handler;
    private final String base;
    private final Set<String> spared;
    private final Json json = new Json();
    private final ExecutorService workers;
    private final ExecutorService sparedWorkers;

    /**
     * Begins to answer.
     *
     * @param base   the path under which the handler is reached, "" or such as "/jobs"
     * @param spared paths below it that are answered however busy all else is: they must answer at once
     * @throws UncheckedIOException if the address is taken or is not of this machine
     */
    public WebServer(InetSocketAddress address, String base, Set<String> spared, Handler handler) {
        this.base = base;
        this.spared = Set.copyOf(spared);
        this.handler = handler;
        ThreadFactory threads = threads();
        workers = new ThreadPoolExecutor(
                0, WORKERS_MAX, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
        ThreadPoolExecutor few = new ThreadPoolExecutor(
                SPARED_WORKERS,
                SPARED_WORKERS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(SPARED_WAITING_MAX),
                threads);
        few.allowCoreThreadTimeOut(true);
        sparedWorkers = few;
        try {
            listener = new Listener(address, this::received, this::refused);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The dashboard cannot listen on " + address + ": " + e.getMessage()
                            + ". Choose another port or address.",
                    e);
        }
        listener.start();
    }

    private static ThreadFactory threads() {
        AtomicLong number = new AtomicLong();
        return task -> {
            Thread thread = new Thread(task, "treadle-dashboard-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** A whole request came; on the listener's thread. */
    private void received(Connection connection, Received received) {
        int question = received.target().indexOf('?');
        String full = question < 0 ? received.target() : received.target().substring(0, question);
        if (!full.equals(base) && !full.startsWith(base + "/")) {
            send(
                    connection,
                    received,
                    new Problem(404, "not-found", "Not found", "There is nothing here.", null).response(json));
            return;
        }
        String path = full.equals(base) ? "/" : full.substring(base.length());
        Request request = new Request(
                received.method(),
                base,
                path,
                Request.query(question < 0 ? null : received.target().substring(question + 1)),
                received.headers(),
                connection.remote,
                null,
                received.body());
        try {
            (spared.contains(path) ? sparedWorkers : workers).execute(() -> answer(connection, received, request));
        } catch (RejectedExecutionException e) {
            send(
                    connection,
                    received,
                    new Problem(503, "busy", "Busy", "The dashboard answers as many requests as it may.", "Try again.")
                            .response(json)
                            .with("Retry-After", "1"));
        }
    }

    private void answer(Connection connection, Received received, Request request) {
        Response response = null;
        try {
            response = handler.answer(request);
        } catch (RuntimeException e) {
            LOG.error("The dashboard failed at {} {}.", request.method(), request.path(), e);
        } finally {
            // why also after an error: the client would wait for ever
            if (response == null) {
                response = new Problem(500, "internal", "Something went wrong", "The dashboard failed.", null)
                        .response(json);
            }
            send(connection, received, response);
        }
    }

    private void send(Connection connection, Received received, Response response) {
        boolean head = received.method().equals("HEAD");
        if (response.stream() != null && !head) {
            stream(connection, response);
        } else {
            boolean closes = !received.keepAlive();
            listener.answer(connection, ResponseBytes.of(response, closes, head), closes, false);
        }
    }

    private void stream(Connection connection, Response response) {
        try (Connection.Out out = listener.stream(connection)) {
            out.write(ResponseBytes.headOfStream(response));
            java.util.Objects.requireNonNull(response.stream()).to(out);
        } catch (IOException e) {
            LOG.debug("A client went away.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            listener.end(connection);
        }
    }

    /** What came is not read further; on the listener's thread. */
    private void refused(Connection connection, Refused why) {
        Response response = new Problem(
                        why.status(), "not-read", "The request was not read", String.valueOf(why.getMessage()), null)
                .response(json);
        listener.answer(connection, ResponseBytes.of(response, true, false), true, true);
    }

    /** Ends at once; open streams are cut. */
    @Override
    public void close() {
        listener.close();
        workers.shutdownNow();
        sparedWorkers.shutdownNow();
    }
}
