package dev.treadle.dashboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.guard.User;
import dev.treadle.dashboard.live.Hub;
import dev.treadle.dashboard.live.Monitor.Tick;
import dev.treadle.dashboard.live.VerdictView;
import dev.treadle.dashboard.live.Vitals;
import dev.treadle.dashboard.web.Json;
import dev.treadle.dashboard.web.Request;
import dev.treadle.dashboard.web.Response;
import dev.treadle.health.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a live stream lasts. */
@Timeout(60)
class EventsTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final Hub<Tick> hub = new Hub<>();
    private final Events events = new Events(hub, new Json(), now::get);

    @Test
    void a_stream_ends_after_its_time_and_the_next_one_begins_where_it_stopped() throws Exception {
        hub.publish(tick());
        String first = read("0", () -> now.set(now.get().plus(Events.STREAM_TIME_MAX)));
        assertTrue(first.contains("event: tick\nid: 1\n"), first);
        assertFalse(first.contains("bye"), first);
        hub.publish(tick());
        String second = read("1", hub::close);
        assertFalse(second.contains("id: 1\n") || second.contains("resync"), second);
        assertTrue(second.contains("event: tick\nid: 2\n") && second.endsWith("event: bye\ndata: {}\n\n"), second);
    }

    /** Reads a stream, and does something as soon as a tick has come. */
    private String read(String after, Runnable then) throws Exception {
        Request request = new Request(
                "GET", "/api/v1/events", Map.of(), Map.of("last-event-id", List.of(after)), "127.0.0.1", new byte[0]);
        Response response =
                events.routes().get(0).action().answer(new Route.Call(request, new User("ada", Role.VIEWER), Map.of()));
        assertEquals(200, response.status());
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        java.util.Objects.requireNonNull(response.stream()).to(new OutputStream() {
            @Override
            public void write(int one) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void write(byte[] bytes, int offset, int count) {
                all.write(bytes, offset, count);
                if (new String(bytes, offset, count, StandardCharsets.UTF_8).contains("event: tick")) {
                    then.run();
                }
            }
        });
        return all.toString(StandardCharsets.UTF_8);
    }

    private static Tick tick() {
        return new Tick(
                1,
                new VerdictView(Verdict.Level.IDLE, "Nothing to do.", null),
                Map.of(),
                null,
                null,
                List.of(),
                new Vitals(1, 0, 0, 0, 0, 0, 0, 0),
                0,
                0);
    }
}
