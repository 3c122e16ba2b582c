package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.job.JobRequest;
import dev.treadle.job.Uses;
import dev.treadle.server.HeapGuardSettings;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Admission in this process, over the API. */
@Timeout(120)
class AdmissionTest {
    @Uses("pdf")
    record Render(int number) implements JobRequest<Void> {}

    private final JsonMapper json = new JsonMapper();
    private final CountDownLatch gate = new CountDownLatch(1);

    @Test
    void resources_and_the_guard_are_shown_as_they_stand() throws IOException {
        try (Treadle treadle = Treadle.on(new InMemoryStorageProvider())
                        .settings(JobServerSettings.DEFAULT
                                .withWorkers(20)
                                .withResource("pdf", 2)
                                .withHeapGuard(HeapGuardSettings.DEFAULT.withFirst(5)))
                        .handler(Render.class, (render, job) -> {
                            assertTrue(gate.await(30, TimeUnit.SECONDS));
                        })
                        .start();
                Dashboard dashboard = Dashboard.of(treadle).port(0).start()) {
            treadle.jobs().enqueueAll(IntStream.range(0, 9).mapToObj(Render::new));
            Http http = new Http(dashboard.uri());

            Awaitility.await()
                    .until(() -> look(http).get("resources").get(0).get("inUse").intValue() == 2);
            JsonNode all = look(http);
            assertEquals("pdf", all.get("resources").get(0).get("name").stringValue());
            assertEquals(2, all.get("resources").get(0).get("permits").intValue());
            assertEquals(20, all.get("admitted").get("workers").intValue());
            assertTrue(all.get("admitted").get("guarded").booleanValue());
            assertTrue(all.get("admitted").get("max").longValue() > 0);
            gate.countDown();
        }
    }

    @Test
    void a_process_that_runs_no_jobs_admits_none() throws IOException {
        try (Treadle treadle = Treadle.on(new InMemoryStorageProvider()).enqueueOnly();
                Dashboard dashboard = Dashboard.of(treadle).port(0).start()) {
            JsonNode all = look(new Http(dashboard.uri()));

            assertFalse(all.has("admitted"), all.toString());
            assertTrue(all.get("resources").isEmpty());
        }
    }

    private JsonNode look(Http http) throws IOException {
        return json.readTree(http.get("/api/v1/admission").body());
    }
}
