package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dashboard.web.Handler;
import dev.treadle.dashboard.web.Response;
import dev.treadle.dashboard.web.WebServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server under strangers: half-sent requests, slow readers, too many at once. */
@Timeout(120)
class WebServerTest {
    private static final byte[] MUCH = new byte[2_000_000];

    static {
        Arrays.fill(MUCH, (byte) 'x');
    }

    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicReference<Throwable> streamEnded = new AtomicReference<>();
    private final WebServer server = new WebServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "/base", Set.of("/live"), handler());
    private final List<Socket> sockets = new ArrayList<>();

    private Handler handler() {
        return request -> switch (request.path()) {
            case "/much" -> Response.of(200, "text/plain", MUCH);
            case "/slow" -> {
                await(go);
                yield Response.of(200, "text/plain", new byte[] {'s'});
            }
            case "/stream" ->
                new Response(200, java.util.Map.of("Content-Type", "text/plain"), new byte[0], out -> {
                    try {
                        while (true) {
                            out.write(MUCH);
                        }
                    } catch (IOException e) {
                        streamEnded.set(e);
                        throw e;
                    }
                });
            case "/fails" -> throw new IllegalStateException("for a test");
            default ->
                Response.of(
                        200,
                        "text/plain",
                        (request.method()
                                        + request.path()
                                        + request.query()
                                        + new String(request.body(), StandardCharsets.UTF_8))
                                .getBytes(StandardCharsets.UTF_8));
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void close() throws IOException {
        go.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    @Test
    void half_sent_requests_of_any_number_do_not_keep_others_from_being_answered() throws IOException {
        for (int i = 0; i < 600; i++) {
            send(
                    i % 2 == 0
                            ? "GET /base/live HTTP/1.1\r\nHost: loc"
                            : "POST /base/x HTTP/1.1\r\nContent-Length: 600\r\n\r\n{");
            if (i % 100 == 99) {
                assertEquals("GET/live{}", body("GET /base/live HTTP/1.1\r\n"));
                assertEquals("GET/x{}", body("GET /base/x HTTP/1.1\r\n"));
            }
        }
    }

    @Test
    void a_half_sent_request_is_given_up_after_its_time() throws IOException {
        Socket half = send("GET /base/live HTTP/1.1\r\nHost: loc");
        half.setSoTimeout(60_000);
        assertEquals(-1, half.getInputStream().read());
    }

    @Test
    void the_sign_of_life_is_answered_while_all_workers_are_busy() throws IOException {
        for (int i = 0; i < WebServer.WORKERS_MAX; i++) {
            send("GET /base/slow HTTP/1.1\r\n\r\n");
        }
        Awaitility.await().until(() -> answer("GET /base/x HTTP/1.1\r\n").startsWith("HTTP/1.1 503"));
        assertEquals("GET/live{}", body("GET /base/live HTTP/1.1\r\n"));
        go.countDown();
        Awaitility.await().until(() -> answer("GET /base/x HTTP/1.1\r\n").startsWith("HTTP/1.1 200"));
    }

    @Test
    void those_who_do_not_read_their_answers_hold_no_worker() throws IOException {
        for (int i = 0; i < WebServer.WORKERS_MAX + 20; i++) {
            Socket slow = socket();
            slow.setReceiveBufferSize(2_048);
            slow.getOutputStream().write("GET /base/much HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        assertEquals("GET/x{}", body("GET /base/x HTTP/1.1\r\n"));
    }

    @Test
    void a_stream_that_is_not_read_ends() throws IOException {
        send("GET /base/stream HTTP/1.1\r\n\r\n");
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> streamEnded.get() != null);
        assertTrue(String.valueOf(streamEnded.get().getMessage()).contains("did not read"), streamEnded.toString());
    }

    @Test
    void a_stream_whose_reader_goes_away_ends() throws IOException {
        Socket socket = send("GET /base/stream HTTP/1.1\r\n\r\n");
        assertTrue(socket.getInputStream().read() >= 0);
        socket.close();
        Awaitility.await().until(() -> streamEnded.get() != null);
    }

    @Test
    void requests_that_come_together_are_answered_in_their_order_over_one_connection() throws IOException {
        Socket socket = send(
                "GET /base/a HTTP/1.1\r\n\r\nPOST /base/b?q=1 HTTP/1.1\r\nContent-Length: 2\r\n\r\nhiHEAD /base/c HTTP/1.1\r\n\r\n"
                        + "GET /base/d HTTP/1.1\r\nConnection: close\r\n\r\n");
        String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(
                all.matches(
                        "(?s).*GET/a\\{\\}HTTP.*POST/b\\{q=1\\}hiHTTP.*Content-Length: 8.*\r\n\r\nHTTP.*GET/d\\{\\}"),
                all);
    }

    @Test
    void a_long_answer_comes_whole() throws IOException {
        Socket socket = send("GET /base/much HTTP/1.1\r\nConnection: close\r\n\r\n");
        byte[] all = socket.getInputStream().readAllBytes();
        assertArrayEquals(MUCH, Arrays.copyOfRange(all, all.length - MUCH.length, all.length));
    }

    @Test
    void what_is_too_long_is_refused_although_the_client_is_still_sending() throws IOException {
        Socket socket = send("POST /base/x HTTP/1.1\r\nContent-Length: 900000\r\n\r\n");
        try {
            socket.getOutputStream().write(new byte[900_000]);
        } catch (SocketException e) {
            // it need not be taken
        }
        assertTrue(text(socket.getInputStream()).startsWith("HTTP/1.1 413"));
    }

    @Test
    void a_handler_that_fails_is_an_answer_too() throws IOException {
        assertTrue(answer("GET /base/fails HTTP/1.1\r\n").startsWith("HTTP/1.1 500"));
        assertTrue(answer("GET /elsewhere HTTP/1.1\r\n").startsWith("HTTP/1.1 404"));
        assertTrue(answer("NONSENSE\r\n").startsWith("HTTP/1.1 400"));
    }

    @Test
    void no_system_property_is_touched() {
        for (String name : List.of("sun.net.httpserver.nodelay", "sun.net.httpserver.maxReqTime")) {
            assertNull(System.getProperty(name));
        }
    }

    private String body(String head) throws IOException {
        String all = answer(head);
        return all.substring(all.indexOf("\r\n\r\n") + 4);
    }

    private String answer(String head) throws IOException {
        return text(send(head + "Connection: close\r\n\r\n").getInputStream());
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    private Socket send(String text) throws IOException {
        Socket socket = socket();
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private Socket socket() throws IOException {
        Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort());
        sockets.add(socket);
        return socket;
    }
}
