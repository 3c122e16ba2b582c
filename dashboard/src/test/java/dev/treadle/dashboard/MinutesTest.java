package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.NodeId;
import dev.treadle.storage.NodeFigures;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.NodeMinute;
import dev.treadle.storage.NodeVitals;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every node tells how it stands, and charts begin with what was told before the dashboard was there. */
class MinutesTest {
    private static final NodeId FAR = new NodeId(4711);

    private final JsonMapper json = new JsonMapper();
    private final InMemoryStorageProvider storage = new InMemoryStorageProvider();

    @Test
    void charts_begin_with_what_nodes_told_before_anybody_looked() throws IOException {
        Instant now = Clock.systemUTC().instant();
        for (int minutes = 200; minutes > 0; minutes--) {
            tell(now.minus(Duration.ofMinutes(minutes)), 120);
        }
        try (Office office = Office.open(storage)) {
            office.dashboard.look();

            JsonNode hour = get(office, "/api/v1/overview?window=1h").get("points");
            assertTrue(hour.size() >= 58 && hour.size() <= 63, "points: " + hour.size());
            assertEquals(120, hour.get(5).get("ok").intValue());
            assertEquals(60, hour.get(5).get("s").intValue());
            assertEquals(3_000_000, hour.get(5).get("heapUsed").longValue());
            JsonNode day = get(office, "/api/v1/overview?window=24h").get("points");
            long all = day.valueStream()
                    .mapToLong(point -> point.get("ok").longValue())
                    .sum();
            assertEquals(200 * 120, all);
            assertTrue(day.size() < 50, "steps: " + day.size());
        }
    }

    @Test
    void a_node_elsewhere_is_shown_with_its_heap_processor_threads_and_words() throws IOException {
        tell(Clock.systemUTC().instant(), 9);
        try (Office office = Office.open(storage)) {
            office.dashboard.look();

            JsonNode far = get(office, "/api/v1/servers/4711");
            assertEquals("worker-7", far.get("server").get("name").stringValue());
            assertEquals(77, far.get("server").get("vitals").get("threads").intValue());
            assertEquals("open", far.get("facts").get("guard").stringValue());
            assertTrue(far.get("vitals").size() >= 1);
            assertEquals(404, http(office).get("/api/v1/servers/4712").status());
            assertEquals(404, http(office).get("/api/v1/servers/nobody").status());
            assertEquals(400, http(office).get("/api/v1/servers/4711?window=9d").status());
        }
    }

    @Test
    void a_node_tells_what_it_did_and_how_it_stands_with_its_heartbeats() {
        try (Office office = Office.open(storage)) {
            NodeId self = office.treadle.server().orElseThrow().self().id();
            office.treadle.jobs().enqueue(new Office.Greet("ada"));
            office.treadle.jobs().enqueue(new Office.Break("boom", "x"));

            Awaitility.await()
                    .until(() -> storage.minutes().of(self, Instant.EPOCH).stream()
                                    .mapToLong(minute -> minute.succeeded() + 10 * minute.failed())
                                    .sum()
                            == 11);

            NodeMinute minute = storage.minutes().of(self, Instant.EPOCH).get(0);
            assertTrue(minute.heapUsed() > 0 && minute.heapSize() >= minute.heapUsed() && minute.threads() > 0);
            NodeFigures figures =
                    storage.search().nodes(Duration.ZERO).get(0).node().figures();
            assertTrue(figures != null && figures.facts().containsKey("jdk"));
        }
    }

    private void tell(Instant at, long succeeded) {
        storage.heartbeat(new NodeInfo(FAR, "worker-7", "virtual", 100)
                .with(new NodeFigures(
                        new NodeVitals(3_000_000, 5_000_000, 9_000_000, 0.5, 12, 77, 3),
                        Map.of("guard", "open"),
                        new NodeMinute(
                                at, 60, succeeded, 0, 5L, 50L, 7L, 3, 3_000_000, 5_000_000, 9_000_000, 0.5, 77))));
    }

    private JsonNode get(Office office, String path) throws IOException {
        return json.readTree(http(office).get(path).body());
    }

    private static Http http(Office office) {
        return new Http(URI.create(office.url()));
    }
}
