package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.dashboard.Http.Answer;
import dev.treadle.job.StateName;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The queues over the API: what waits, and letting them rest. */
@Timeout(120)
class QueuesTest {
    private final JsonMapper json = new JsonMapper();

    @Test
    void a_queue_is_paused_with_a_reason_and_a_time_shows_what_waits_and_goes_on() throws IOException {
        for (StorageProvider storage :
                List.of(new InMemoryStorageProvider(), SqlStorageProvider.h2Memory("queues" + UUID.randomUUID()))) {
            try (Office office = Office.withUsers(storage)) {
                Http ada = http(office).as("ada", "operator-password").writing();
                office.treadle.queues().pause("mail", "code", null);
                Answer paused = ada.send(
                        "POST",
                        "/api/v1/queues",
                        "{\"queue\":\"mail\",\"action\":\"PAUSE\",\"seconds\":3600,\"why\":\"relay is down\"}");
                assertEquals(200, paused.status(), paused.body());
                office.treadle.jobs().with(JobOptions.DEFAULT.withQueue("mail")).enqueue(new Office.Greet("late"));
                Awaitility.await().until(() -> queue(ada, "mail").get("waiting").intValue() == 1);
                JsonNode mail = queue(ada, "mail");
                assertTrue(mail.get("oldestMs").longValue() >= 0);
                assertFalse(mail.get("more").booleanValue());
                JsonNode pause = mail.get("pause");
                assertEquals("ada", pause.get("by").stringValue());
                assertEquals("relay is down", pause.get("why").stringValue());
                assertEquals(
                        Duration.ofHours(1),
                        Duration.between(
                                Instant.parse(pause.get("since").stringValue()),
                                Instant.parse(pause.get("until").stringValue())));
                assertEquals(0, office.count(StateName.SUCCEEDED));

                Answer resumed = ada.send("POST", "/api/v1/queues", "{\"queue\":\"mail\",\"action\":\"RESUME\"}");
                assertFalse(resumed.body().contains("pause"), resumed.body());
                Awaitility.await().until(() -> office.count(StateName.SUCCEEDED) == 1);
                var done = office.storage.operators().audit(null, 10);
                assertEquals(2, done.size());
                assertEquals("RESUME", done.get(0).action());
                assertEquals("queue mail", done.get(0).target());
                assertEquals("queue mail for 3600 s", done.get(1).target());
                assertEquals("relay is down", done.get(1).why());
                assertEquals("ada", done.get(1).by());

                ada.send("POST", "/api/v1/queues", "{\"queue\":\"mail\",\"action\":\"RESUME\"}");
                assertEquals(2, office.storage.operators().audit(null, 10).size(), "nothing was done");
            }
        }
    }

    @Test
    void what_cannot_be_meant_is_refused_and_a_slip_of_the_pen_makes_no_queue() throws IOException {
        try (Office office = Office.open(new InMemoryStorageProvider()).fill()) {
            Http http = http(office).writing();
            assertEquals(404, order(http, "\"queue\":\"mial\",\"action\":\"PAUSE\""));
            assertEquals(404, order(http, "\"action\":\"PAUSE\""));
            assertEquals(400, order(http, "\"queue\":\"default\",\"action\":\"STOP\""));
            assertEquals(400, order(http, "\"queue\":\"default\",\"action\":\"PAUSE\",\"seconds\":0"));
            assertEquals(400, order(http, "\"queue\":\"default\",\"action\":\"PAUSE\",\"seconds\":31536001"));
            assertEquals(400, order(http, "\"queue\":\"default\",\"action\":\"RESUME\",\"seconds\":1"));
            assertTrue(office.treadle.queues().list().stream()
                    .allMatch(queue -> queue.queue().equals("default") && queue.pause() == null));
            assertTrue(office.storage.operators().audit(null, 1).isEmpty());
        }
    }

    @Test
    void limits_are_shown_as_the_servers_say_them() throws IOException {
        InMemoryStorageProvider storage = new InMemoryStorageProvider();
        for (long id = 1; id <= 2; id++) {
            storage.heartbeat(new dev.treadle.storage.NodeInfo(new dev.treadle.job.NodeId(id), "worker", "pool", 9)
                    .with(new dev.treadle.storage.NodeFigures(
                            new dev.treadle.storage.NodeVitals(1, 1, 1, 0, 0, 1, 0),
                            java.util.Map.of("queue mail", "20 at once, weight 3", "other queues", "not served"),
                            null)));
        }
        try (Office office = Office.open(storage)) {
            office.treadle.queues().pause("mail", "ada", null);
            office.treadle.queues().pause("reports", "ada", null);
            office.dashboard.look();

            JsonNode mail = queue(http(office), "mail").get("served");
            assertEquals("20 at once, weight 3", mail.get(0).get("words").stringValue());
            assertEquals(2, mail.get(0).get("servers").intValue());
            assertFalse(mail.get(1).has("words"), "this server says nothing of it");
            JsonNode reports = queue(http(office), "reports").get("served");
            assertEquals(1, reports.size());
            assertEquals(1, reports.get(0).get("servers").intValue());
        }
    }

    private static int order(Http http, String fields) throws IOException {
        return http.send("POST", "/api/v1/queues", "{" + fields + "}").status();
    }

    private JsonNode queue(Http http, String name) throws IOException {
        return json.readTree(http.get("/api/v1/queues").body())
                .get("queues")
                .valueStream()
                .filter(queue -> queue.get("queue").stringValue().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Http http(Office office) {
        return new Http(URI.create(office.url()));
    }
}
