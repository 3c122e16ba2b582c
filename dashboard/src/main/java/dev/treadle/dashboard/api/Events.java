package dev.treadle.dashboard.api;

import dev.treadle.dashboard.api.Route.Call;
import dev.treadle.dashboard.live.Hub;
import dev.treadle.dashboard.live.Hub.Numbered;
import dev.treadle.dashboard.live.Monitor.Tick;
import dev.treadle.dashboard.web.Json;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One live stream for all viewers (Server-Sent Events): a tick each second, and what was missed after a short absence. */
final class Events {
    /** Most streams at once; later viewers are told to poll instead. */
    static final int STREAMS_MAX = 50;

    /** How long one stream lasts. Then browsers connect again, and users who have signed out are not let in. */
    static final Duration STREAM_TIME_MAX = Duration.ofMinutes(5);

    private static final int PING_MILLIS = 15_000;
    private static final int RETRY_MILLIS = 3_000;

    private final Hub<Tick> hub;
    private final Json json;
    private final InstantSource time;
    private final AtomicInteger streams = new AtomicInteger();

    Events(Hub<Tick> hub, Json json, InstantSource time) {
        this.hub = hub;
        this.json = json;
        this.time = time;
    }

    List<Route> routes() {
        return List.of(Route.get("/api/v1/events", this::stream));
    }

    private Response stream(Call call) {
        if (streams.get() >= STREAMS_MAX) {
            throw new Problem(
                    503,
                    "too-many-streams",
                    "Too many live streams",
                    STREAMS_MAX + " live streams are open already.",
                    "The page polls every few seconds instead.");
        }
        Long last = number(call.request().header("Last-Event-ID"));
        return new Response(
                200,
                Map.of("Content-Type", "text/event-stream; charset=utf-8", "X-Accel-Buffering", "no"),
                new byte[0],
                out -> write(out, last));
    }

    private static @Nullable Long number(@Nullable String text) {
        return text == null || !text.matches("\\d{1,18}") ? null : Long.valueOf(text);
    }

    private void write(OutputStream out, @Nullable Long last) throws IOException, InterruptedException {
        streams.incrementAndGet();
        try {
            long seen = last == null ? hub.latest() : last;
            send(out, "retry: " + RETRY_MILLIS + "\n\n");
            Instant end = time.instant().plus(STREAM_TIME_MAX);
            while (!hub.isClosed() && time.instant().isBefore(end)) {
                if (!hub.knows(seen)) {
                    seen = hub.latest();
                    send(out, "event: resync\nid: " + seen + "\ndata: {}\n\n");
                }
                List<Numbered<Tick>> news = hub.after(seen, PING_MILLIS);
                if (news.isEmpty()) {
                    send(out, ": still here\n\n");
                }
                for (Numbered<Tick> one : news) {
                    String data = new String(json.bytes(one.value()), StandardCharsets.UTF_8);
                    send(out, "event: tick\nid: " + one.number() + "\ndata: " + data + "\n\n");
                    seen = one.number();
                }
            }
            if (!hub.isClosed()) {
                return;
            }
            send(out, "event: bye\ndata: {}\n\n");
        } finally {
            streams.decrementAndGet();
        }
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
