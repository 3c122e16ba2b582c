package dev.treadle.dashboard.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The JDK's own server under a handler: no library, nothing that could clash with the application's. */
public final class JdkServer implements AutoCloseable {
    /** Most requests at once, those of live streams among them. */
    public static final int THREADS_MAX = 100;

    private static final int THREAD_IDLE_SECONDS = 30;
    private static final Logger LOG = LoggerFactory.getLogger(JdkServer.class);

    private final HttpServer server;
    private final ExecutorService threads;

    /**
     * Begins to answer.
     *
     * @param base the path under which the handler is reached, "" or such as "/jobs"
     * @throws UncheckedIOException if the address is taken or is not of this machine
     */
    public JdkServer(InetSocketAddress address, String base, Handler handler) {
        // a small answer would wait 40 ms for an acknowledgement otherwise; read when the server's class is loaded
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
        // a client that is slow to ask holds a thread no longer than this, in seconds
        if (System.getProperty("sun.net.httpserver.maxReqTime") == null) {
            System.setProperty("sun.net.httpserver.maxReqTime", "30");
        }
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The dashboard cannot listen on " + address + ": " + e.getMessage()
                            + ". Choose another port or address.",
                    e);
        }
        AtomicLong number = new AtomicLong();
        threads = new ThreadPoolExecutor(
                0,
                THREADS_MAX,
                THREAD_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "treadle-dashboard-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.AbortPolicy());
        server.setExecutor(threads);
        server.createContext("/", exchange -> exchange(exchange, base, handler));
        server.start();
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private static void exchange(HttpExchange exchange, String base, Handler handler) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getRawPath();
            if (path == null || !(path.equals(base) || path.startsWith(base + "/"))) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            byte[] body = body(exchange);
            if (body.length > Request.BODY_BYTES_MAX) {
                exchange.sendResponseHeaders(413, -1);
                return;
            }
            Request request = request(exchange, path.equals(base) ? "/" : path.substring(base.length()), body);
            send(exchange, handler.answer(request));
        } catch (IOException e) {
            LOG.debug("A client went away.", e);
        }
    }

    private static byte[] body(HttpExchange exchange) throws IOException {
        try (InputStream in = exchange.getRequestBody()) {
            return in.readNBytes(Request.BODY_BYTES_MAX + 1);
        }
    }

    private static Request request(HttpExchange exchange, String path, byte[] body) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), List.copyOf(values)));
        return new Request(
                exchange.getRequestMethod(),
                path,
                query(exchange.getRequestURI()),
                headers,
                exchange.getRemoteAddress().getAddress().getHostAddress(),
                body);
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new LinkedHashMap<>();
        String raw = uri.getRawQuery();
        if (raw != null) {
            for (String pair : raw.split("&")) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                query.putIfAbsent(decoded(name), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    private static void send(HttpExchange exchange, Response response) throws IOException {
        response.headers()
                .forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
        Response.Stream stream = response.stream();
        boolean head = exchange.getRequestMethod().equals("HEAD");
        if (head || stream == null && response.body().length == 0) {
            exchange.sendResponseHeaders(response.status(), -1);
            return;
        }
        exchange.sendResponseHeaders(response.status(), stream == null ? response.body().length : 0);
        try (OutputStream out = exchange.getResponseBody()) {
            if (stream == null) {
                out.write(response.body());
            } else {
                stream.to(out);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends at once; open streams are cut. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
