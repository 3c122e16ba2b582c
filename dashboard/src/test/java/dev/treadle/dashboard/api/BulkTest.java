package dev.treadle.dashboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.guard.User;
import dev.treadle.dashboard.web.Json;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Request;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is done to more jobs than can be counted at once: each look at the clock is a second later, so one page is. */
@Timeout(120)
class BulkTest {
    record Later(int number) implements JobRequest<Void> {}

    private static final String ORDER = "{\"action\":\"DELETE\",\"state\":\"SCHEDULED\",\"q\":\"Later\",";

    private final InMemoryStorageProvider storage = new InMemoryStorageProvider();
    private final Json json = new Json();
    private final JsonMapper mapper = new JsonMapper();
    private final AtomicLong seconds = new AtomicLong();
    private final Instant begin = Instant.now();
    private final Bulk bulk = new Bulk(
            storage,
            new StoredNames(stored -> stored, Map::of),
            json,
            () -> begin.plusSeconds(seconds.incrementAndGet()));

    @BeforeEach
    void fill() {
        try (Treadle treadle = Treadle.on(storage).enqueueOnly()) {
            JobScheduler jobs = treadle.jobs();
            for (int i = 0; i < 500; i++) {
                jobs.schedule(Duration.ofHours(1), new Later(i));
            }
        }
    }

    @AfterEach
    void close() {
        bulk.close();
    }

    @Test
    void a_count_that_is_not_over_says_at_least_and_goes_on_where_it_stopped() {
        JsonNode first = send("\"dryRun\":true}");
        assertEquals(200, first.get("jobs").intValue());
        assertTrue(first.get("more").booleanValue());
        JsonNode second = send("\"dryRun\":true,\"after\":" + first.get("next") + "}");
        JsonNode third = send("\"dryRun\":true,\"after\":" + second.get("next") + "}");
        assertEquals(200, second.get("jobs").intValue());
        assertEquals(100, third.get("jobs").intValue());
        assertFalse(third.get("more").booleanValue());
        assertFalse(third.has("next"));
        assertEquals(500, left());
    }

    @Test
    void what_was_not_counted_is_not_acted_on_beyond_a_tenth_of_what_was_confirmed() {
        JsonNode over = untilOver(send("\"expected\":200}"));
        assertEquals("limit", over.get("standing").stringValue());
        assertEquals(220, over.get("done").intValue());
        assertTrue(over.get("problem").stringValue().contains("200"), over.toString());
        assertEquals(280, left());
    }

    @Test
    void less_than_was_found_already_is_refused_and_nothing_is_done() {
        for (String rest :
                new String[] {"\"expected\":199}", "\"expected\":0}", "\"dryRun\":false}", "\"all\":false}"}) {
            assertEquals(
                    "count-changed",
                    mapper.readTree(new String(
                                    assertThrows(Problem.class, () -> send(rest))
                                            .response(json)
                                            .body(),
                                    StandardCharsets.UTF_8))
                            .get("code")
                            .stringValue());
        }
        assertEquals(500, left());
    }

    @Test
    void all_however_many_is_done_to_all_and_says_no_number_beforehand() {
        JsonNode over = untilOver(send("\"all\":true}"));
        assertEquals("done", over.get("standing").stringValue());
        assertEquals(500, over.get("done").intValue());
        assertFalse(over.has("expected"));
        assertEquals(0, left());
    }

    @Test
    void a_stop_stands_in_the_audit_log() {
        JsonNode begun = send("\"all\":true}");
        answer("DELETE", "/api/v1/operations/{id}", "", begun.get("id").stringValue());
        JsonNode over = untilOver(begun);
        boolean audited = storage.operators().audit(null, 50).stream()
                .anyMatch(row -> row.action().equals("STOP_DELETE") && row.by().equals("ada"));
        // it may have been over before the stop came
        assertTrue(audited || over.get("standing").stringValue().equals("done"), over.toString());
    }

    private long left() {
        return storage.search().counts().get(StateName.SCHEDULED);
    }

    private JsonNode send(String rest) {
        return answer("POST", "/api/v1/bulk", ORDER + rest, "");
    }

    private JsonNode untilOver(JsonNode begun) {
        String id = begun.get("id").stringValue();
        Awaitility.await()
                .until(() -> answer("GET", "/api/v1/operations/{id}", "", id).has("endedAt"));
        return answer("GET", "/api/v1/operations/{id}", "", id);
    }

    private JsonNode answer(String method, String pattern, String body, String id) {
        Route route = bulk.routes().stream()
                .filter(one -> one.method().equals(method) && one.pattern().equals(pattern))
                .findFirst()
                .orElseThrow();
        Request request =
                new Request(method, pattern, Map.of(), Map.of(), "127.0.0.1", body.getBytes(StandardCharsets.UTF_8));
        User ada = new User("ada", Role.OPERATOR);
        byte[] answer = route.action()
                .answer(new Route.Call(request, ada, Map.of("id", id)))
                .body();
        return mapper.readTree(new String(answer, StandardCharsets.UTF_8));
    }
}
