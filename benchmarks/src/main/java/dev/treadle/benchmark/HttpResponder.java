package dev.treadle.benchmark;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;

/**
 * The JDK's HTTP server, with each request on an executor; and clients that keep their
 * connections. Each asks again when it has its answer. Clients are virtual threads of the same process in every
 * row, so that they cost every row the same.
 */
final class HttpResponder implements AutoCloseable {
    private static final byte[] ANSWER = "ok".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REQUEST =
            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int CLIENT_TIMEOUT_MILLIS = 30_000;

    private final HttpServer server;

    HttpResponder(Executor executor) throws IOException {
        // read when the server's class is first used: a small answer waits for an acknowledgement otherwise
        System.setProperty("sun.net.httpserver.nodelay", "true");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, ANSWER.length);
                exchange.getResponseBody().write(ANSWER);
            }
        });
        server.start();
    }

    /** Returns when so many requests were answered. */
    void answer(int requests, int clients) throws InterruptedException {
        List<FutureTask<Integer>> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            // the first ones take what is left over
            int each = requests / clients + (i < requests % clients ? 1 : 0);
            FutureTask<Integer> client = new FutureTask<>(() -> ask(each));
            all.add(client);
            Thread.ofVirtual().start(client);
        }
        int answered = 0;
        for (FutureTask<Integer> client : all) {
            try {
                answered += client.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("A client failed", e.getCause());
            }
        }
        if (answered != requests) {
            throw new IllegalStateException(answered + " of " + requests + " requests were answered.");
        }
    }

    private int ask(int times) {
        try (Socket socket =
                new Socket(server.getAddress().getAddress(), server.getAddress().getPort())) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(CLIENT_TIMEOUT_MILLIS);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int i = 0; i < times; i++) {
                socket.getOutputStream().write(REQUEST);
                readAnswer(in);
            }
            return times;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Up to the empty line that ends the headers, and the body that is as long as is known. */
    private static void readAnswer(InputStream in) throws IOException {
        int status = 0;
        for (int last = 0, newlines = 0; newlines < 2; ) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("The server hung up.");
            }
            status = last == ' ' && status == 0 ? next : status;
            newlines = next == '\n' ? newlines + 1 : next == '\r' ? newlines : 0;
            last = next;
        }
        byte[] body = in.readNBytes(ANSWER.length);
        if (status != '2' || body.length != ANSWER.length) {
            throw new IOException("The server answered something else.");
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
