package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.job.JobId;
import dev.treadle.job.KeyRule;
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
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the API says of the runs of one job: told, returned, limited, waiting for its key, and unwilling to end. */
@Timeout(120)
class RunsTest {
    private final JsonMapper json = new JsonMapper();

    @Test
    void what_a_job_told_and_returned_is_shown_without_its_secrets_and_lines_only_once() throws IOException {
        for (StorageProvider storage : storages()) {
            try (Office office = Office.open(storage)) {
                JobId id = office.treadle.jobs().enqueue(new Office.Report(false));
                Awaitility.await().until(() -> office.count(StateName.SUCCEEDED) == 1);
                String path = "/api/v1/jobs/" + id;
                Awaitility.await()
                        .until(() -> get(office, path + "/notes").get("log").size() == 3);
                JsonNode notes = get(office, path + "/notes");
                assertEquals(340, notes.get("done").intValue());
                assertEquals(2_000, notes.get("total").intValue());
                assertEquals("slips-03.pdf", notes.get("meta").get("file").stringValue());
                assertEquals("•••", notes.get("meta").get("apiToken").stringValue());
                assertEquals(
                        "wrote 340 slips, token=•••",
                        notes.get("log").get(1).get("text").stringValue());
                assertFalse(notes.get("more").booleanValue());
                String second = notes.get("log").get(1).get("place").stringValue();
                JsonNode rest = get(office, path + "/notes?after=" + second);
                assertEquals(1, rest.get("log").size());
                String last = rest.get("log").get(0).get("place").stringValue();
                assertEquals(
                        0, get(office, path + "/notes?after=" + last).get("log").size());
                assertEquals(400, http(office).get(path + "/notes?after=x").status(), "no place");
                JsonNode result = json.readTree(
                        get(office, path).get("result").get("json").stringValue());
                assertEquals("2000", result.get("slips").stringValue());
                assertEquals("•••", result.get("apiToken").stringValue());
                assertFalse((http(office).get(path).body() + notes).contains(Office.SECRET), "a secret came through");
            }
        }
    }

    @Test
    void a_job_that_is_cancelled_and_does_not_end_is_shown_until_it_has_ended() throws IOException {
        for (StorageProvider storage : storages()) {
            try (Office office = Office.open(storage)) {
                JobId id = office.treadle.jobs().enqueue(new Office.Stubborn(1));
                office.untilItWaits(id);
                String path = "/api/v1/jobs/" + id;
                assertEquals(0, get(office, path).get("stillRunning").size());
                office.treadle.jobs().cancel(id, "ada", "wrong month");
                JsonNode still = get(office, path).get("stillRunning").get(0);
                assertEquals(
                        get(office, "/api/v1/servers").get("self").stringValue(),
                        still.get("node").stringValue());
                assertTrue(still.get("sinceMs").longValue() >= 0);
                office.letGo();
                Awaitility.await()
                        .until(() -> get(office, path).get("stillRunning").isEmpty());
            }
        }
    }

    @Test
    void timeout_tags_key_and_the_line_in_which_it_waits_are_told() throws IOException {
        for (StorageProvider storage : storages()) {
            try (Office office = Office.open(storage)) {
                JobOptions options =
                        JobOptions.DEFAULT.withKey(KeyRule.limit("printer", 1)).withTimeout(Duration.ofMinutes(5));
                JobId first = office.treadle.jobs().with(options).enqueue(new Office.Report(true));
                JobId second = office.treadle.jobs().with(options).enqueue(new Office.Report(true));
                JobId tagged = office.treadle
                        .jobs()
                        .with(JobOptions.DEFAULT
                                .withTags("gpu")
                                .withHeader("tenant", "acme")
                                .withKey(KeyRule.rate("mail", 60, Duration.ofHours(1))))
                        .enqueue(new Office.Report(true));
                Awaitility.await().until(() -> office.count(StateName.PROCESSING) == 1);

                JsonNode runs = get(office, "/api/v1/jobs/" + first);
                assertEquals(300_000, runs.get("timeoutMs").longValue());
                assertFalse(runs.has("waitsFor"));
                JsonNode waits = get(office, "/api/v1/jobs/" + second);
                assertTrue(waits.get("waitsFor").stringValue().contains("printer"));
                assertEquals("limit", waits.get("key").get("kind").stringValue());
                assertEquals(1, waits.get("key").get("atMost").intValue());
                JsonNode rate = get(office, "/api/v1/jobs/" + tagged);
                assertEquals("gpu", rate.get("tags").get(0).stringValue());
                assertEquals("acme", rate.get("headers").get("tenant").stringValue());
                assertEquals(3_600_000, rate.get("key").get("perMs").longValue());
                assertFalse(rate.has("timeoutMs"));
            }
        }
    }

    @Test
    void problems_name_a_job_that_goes_on_although_it_was_cancelled_and_queues_at_rest() throws IOException {
        AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
        Instant start = Instant.now();
        try (Office office = Office.open(new InMemoryStorageProvider(() -> start.plus(later.get())))) {
            JobId id = office.treadle.jobs().enqueue(new Office.Stubborn(1));
            office.untilItWaits(id);
            office.treadle.jobs().cancel(id, "ada", "wrong month");
            office.restQueues();
            Awaitility.await().until(() -> problem(office, "queue-paused") != null);
            assertNull(problem(office, "still-running"), "it has just been told to");
            later.set(Duration.ofSeconds(6));
            Awaitility.await().until(() -> problem(office, "still-running") != null);
            JsonNode still = problem(office, "still-running");
            assertTrue(still.get("sentence").stringValue().startsWith("1 job still runs although it was cancelled"));
            assertTrue(still.get("sentence").stringValue().endsWith(" on office."), still::toString);
            assertEquals("/jobs/" + id, still.get("link").stringValue());
            String paused = problem(office, "queue-paused").get("sentence").stringValue();
            assertTrue(paused.startsWith("The queue mail has been paused for "), paused);
            assertTrue(paused.endsWith(" by ada (the relay is down); 2 jobs wait in it."), paused);
            office.letGo();
            office.treadle.queues().resume("mail", "ada");
            office.treadle.queues().resume("reports", "ada");
            Awaitility.await()
                    .until(() -> problem(office, "queue-paused") == null && problem(office, "still-running") == null);
        }
    }

    private @Nullable JsonNode problem(Office office, String rule) throws IOException {
        return get(office, "/api/v1/problems")
                .get("problems")
                .valueStream()
                .filter(problem -> problem.get("rule").stringValue().equals(rule))
                .findFirst()
                .orElse(null);
    }

    private static List<StorageProvider> storages() {
        return List.of(new InMemoryStorageProvider(), SqlStorageProvider.h2Memory("runs" + UUID.randomUUID()));
    }

    private JsonNode get(Office office, String path) throws IOException {
        return json.readTree(http(office).get(path).body());
    }

    private static Http http(Office office) {
        return new Http(URI.create(office.url()));
    }
}
