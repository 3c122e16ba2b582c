package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dashboard.Http.Answer;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.RunStorage.NewStep;
import dev.treadle.storage.RunStorage.StepAnswer.Recorded;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the API says of the steps of a job, and the two ways to run it again. */
@Timeout(120)
class StepsApiTest {
    private final JsonMapper json = new JsonMapper();

    @Test
    void steps_are_shown_in_order_with_their_times_and_without_their_secrets() throws IOException {
        for (StorageProvider storage : storages()) {
            try (Office office = Office.open(storage)) {
                JobId id = failed(office);

                JsonNode steps = get(office, "/api/v1/jobs/" + id + "/steps");

                assertFalse(steps.has("next"));
                assertEquals(3, steps.get("steps").size());
                JsonNode paid = steps.get("steps").get(0);
                assertEquals("pay", paid.get("name").stringValue());
                assertEquals(1, paid.get("attempt").intValue());
                assertEquals(
                        "{\"number\":\"R-7\",\"cents\":1250,\"account\":\"•••\"}",
                        paid.get("result").stringValue());
                assertFalse(paid.get("cut").booleanValue());
                assertFalse(steps.get("steps").get(1).has("result"), "it returned nothing");
                JsonNode label = steps.get("steps").get(2);
                assertTrue(label.get("cut").booleanValue());
                assertTrue(label.get("result").stringValue().length() <= 4_001);
                assertFalse(steps.toString().contains(Office.SECRET), "a secret came through");
            }
        }
    }

    @Test
    void many_steps_come_in_pages() throws IOException {
        StorageProvider storage = new InMemoryStorageProvider();
        try (Office office = Office.open(storage)) {
            JobId id = office.treadle.jobs().enqueue(new Office.Hold(1));
            office.untilItWaits(id);
            Lease lease = storage.leasesOf(
                            office.treadle.server().orElseThrow().self().id())
                    .get(0);
            for (int i = 0; i < 205; i++) {
                NewStep step = new NewStep("page-" + i, Duration.ofMillis(i), null, Set.of());
                assertEquals(new Recorded(), storage.runs().recordStep(RunId.of(lease), step));
            }
            String path = "/api/v1/jobs/" + id + "/steps";

            assertEquals(100, get(office, path).get("next").intValue());
            JsonNode last = get(office, path + "?from=200");
            assertEquals(5, last.get("steps").size());
            assertFalse(last.has("next"));
            assertEquals(
                    400,
                    new Http(URI.create(office.url())).get(path + "?from=x").status());
        }
    }

    @Test
    void run_again_keeps_the_steps_and_run_from_start_forgets_them_and_the_audit_log_says_which() throws IOException {
        for (StorageProvider storage : storages()) {
            try (Office office = Office.open(storage)) {
                JobId id = failed(office);
                // a label was printed twice by now only if the step was done again
                office.shipped.set(7);

                assertEquals(200, post(office, id, "run-again").status());
                Awaitility.await().until(() -> office.count(StateName.SUCCEEDED) == 1);
                assertEquals(7, office.shipped.get());
                assertEquals(200, post(office, id, "run-from-start").status());
                Awaitility.await().until(() -> office.shipped.get() == 8 && office.count(StateName.SUCCEEDED) == 1);

                assertEquals(
                        4,
                        get(office, "/api/v1/jobs/" + id + "/steps")
                                .get("steps")
                                .size());
                assertEquals(
                        "RUN_FROM_START",
                        office.storage.operators().audit(null, 1).get(0).action());
            }
        }
    }

    @Test
    void a_job_that_is_not_there_has_no_steps_to_see() throws IOException {
        try (Office office = Office.open(new InMemoryStorageProvider())) {
            assertEquals(
                    0,
                    get(office, "/api/v1/jobs/" + UUID.randomUUID() + "/steps")
                            .get("steps")
                            .size());
        }
    }

    private static JobId failed(Office office) {
        JobId id = office.treadle.jobs().enqueue(new Office.Ship(7));
        Awaitility.await().until(() -> office.count(StateName.FAILED) == 1);
        return id;
    }

    private static List<StorageProvider> storages() {
        return List.of(new InMemoryStorageProvider(), SqlStorageProvider.h2Memory("steps" + UUID.randomUUID()));
    }

    private JsonNode get(Office office, String path) throws IOException {
        return json.readTree(new Http(URI.create(office.url())).get(path).body());
    }

    private static Answer post(Office office, JobId id, String verb) throws IOException {
        return new Http(URI.create(office.url())).writing().send("POST", "/api/v1/jobs/" + id + "/" + verb, "{}");
    }
}
