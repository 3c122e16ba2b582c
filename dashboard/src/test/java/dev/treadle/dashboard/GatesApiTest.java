package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dashboard.Http.Answer;
import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.Operators;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the API says of jobs that are made of jobs, and what people can do to them. */
@Timeout(240)
class GatesApiTest {
    private static final int SLIPS = 10;

    private final JsonMapper json = new JsonMapper();

    @Test
    void a_job_that_waits_for_its_children_says_for_which_and_how_many_are_missing() throws IOException {
        for (StorageProvider storage : storages()) {
            try (Office office = Office.open(storage)) {
                JobId id = Payroll.waiting(office, SLIPS);

                JsonNode gates = get(office, "/api/v1/jobs/" + id + "/gates");

                assertFalse(gates.has("next"));
                assertEquals(1, gates.get("gates").size(), gates.toString());
                JsonNode slips = gates.get("gates").get(0);
                assertEquals("slip", slips.get("name").stringValue());
                assertEquals(id.toString(), slips.get("job").stringValue());
                assertTrue(slips.get("awaited").booleanValue());
                assertEquals("ALL_END", slips.get("rule").stringValue());
                assertEquals(10, slips.get("jobs").intValue());
                assertFalse(slips.get("growing").booleanValue());
                assertEquals(6, slips.get("succeeded").intValue());
                assertEquals(2, slips.get("failed").intValue());
                assertEquals(2, slips.get("left").intValue());
                assertEquals(2, slips.get("running").intValue());
                assertFalse(slips.get("runningMore").booleanValue());
                assertFalse(slips.has("only"));
                JsonNode whole = get(office, "/api/v1/gates/" + Payroll.slips(id));
                assertEquals(slips, whole.get("gate"));
                assertEquals(id.toString(), whole.get("job").get("id").stringValue());
                assertFalse(whole.toString().contains(Office.SECRET), "a secret came through");
            }
        }
    }

    @Test
    void the_jobs_of_a_gate_come_in_pages_each_with_its_own_gates_and_know_what_they_are_part_of() throws IOException {
        for (StorageProvider storage : storages()) {
            try (Office office = Office.open(storage)) {
                JobId id = Payroll.waiting(office, SLIPS);
                GateId slips = Payroll.slips(id);

                JsonNode first = get(office, "/api/v1/gates/" + slips + "/jobs?limit=7");
                JsonNode second = get(
                        office,
                        "/api/v1/gates/" + slips + "/jobs?limit=7&after="
                                + first.get("next").stringValue());

                assertEquals(7, first.get("jobs").size());
                assertEquals(3, second.get("jobs").size());
                assertFalse(second.has("next"));
                JsonNode third = first.get("jobs").get(3);
                assertEquals(
                        slips.child(3).toString(), third.get("job").get("id").stringValue());
                JsonNode pages = third.get("gates").get(0);
                assertEquals("page", pages.get("name").stringValue());
                assertEquals(2, pages.get("succeeded").intValue());
                assertFalse(pages.get("awaited").booleanValue());
                assertEquals(0, first.get("jobs").get(0).get("gates").size());

                JobId page = GateId.of(slips.child(3), "page").child(1);
                JsonNode parents = get(office, "/api/v1/jobs/" + page + "/parents");
                assertFalse(parents.get("more").booleanValue());
                assertEquals(2, parents.get("parents").size());
                JsonNode slip = parents.get("parents").get(0);
                assertEquals("page", slip.get("name").stringValue());
                assertEquals(
                        slips.child(3).toString(), slip.get("job").get("id").stringValue());
                assertEquals(
                        id.toString(),
                        parents.get("parents").get(1).get("job").get("id").stringValue());
                assertEquals(
                        0,
                        get(office, "/api/v1/jobs/" + id + "/parents")
                                .get("parents")
                                .size());
            }
        }
    }

    @Test
    void a_list_of_a_gate_goes_with_states_and_words_and_what_is_done_to_all_touches_what_it_shows()
            throws IOException {
        for (StorageProvider storage : storages()) {
            try (Office office = Office.open(storage)) {
                JobId id = Payroll.waiting(office, SLIPS);
                office.failMany(3);
                String gate = "q=gate:" + Payroll.slips(id);

                assertEquals(10, jobs(office, gate));
                assertEquals(10, jobs(office, gate + "%20Slip"));
                assertEquals(0, jobs(office, gate + "%20Greet"));
                assertEquals(6, jobs(office, gate + "&state=SUCCEEDED"));
                assertEquals(2, jobs(office, gate + "&state=PROCESSING"));
                assertEquals(2, jobs(office, gate + "%20state:failed"));
                assertEquals(2, jobs(office, gate + "%20error:account"));
                assertEquals(400, http(office).get("/api/v1/jobs?q=gate:x").status());
                assertEquals(
                        400,
                        http(office)
                                .get("/api/v1/jobs?" + gate + "%20gate:" + UUID.randomUUID())
                                .status());

                String order = "{\"action\":\"DELETE\",\"state\":\"FAILED\",\"q\":\"gate:" + Payroll.slips(id) + "\"";
                assertEquals(
                        "{\"jobs\":2,\"more\":false}",
                        post(office, "/api/v1/bulk", order + ",\"dryRun\":true}")
                                .body());
                assertEquals(
                        202,
                        post(office, "/api/v1/bulk", order + ",\"expected\":2}").status());
                Awaitility.await().until(() -> office.count(StateName.FAILED) == 3);
                assertTrue(audit(office).target().contains("gate:" + Payroll.slips(id)));
            }
        }
    }

    @Test
    void an_event_is_signalled_by_hand_and_what_does_not_fit_is_refused_before_it_parks_the_job() throws IOException {
        for (StorageProvider storage : storages()) {
            try (Office office = Office.withUsers(storage)) {
                JobId id = Payroll.awaiting(office, 3);
                Http ada = http(office).as("ada", "operator-password").writing();
                Http vic = http(office).as("vic", "viewer-password").writing();
                GateId approval = GateId.of(id, Payroll.APPROVAL);
                String path = "/api/v1/gates/" + approval + "/signal";

                JsonNode awaited = json.readTree(
                                ada.get("/api/v1/jobs/" + id + "/gates").body())
                        .get("gates")
                        .get(0);
                assertEquals("approval", awaited.get("name").stringValue());
                JsonNode event = awaited.get("event");
                assertEquals(Payroll.Decision.class.getName(), event.get("type").stringValue());
                assertEquals("AWAITED", event.get("standing").stringValue());

                String all = vic.get("/api/v1/jobs/" + id + "/gates").body();
                assertTrue(all.contains("\"report <img src=/x> •••\""), all);
                assertFalse(all.contains(Office.SECRET), "a secret came through");

                assertEquals(403, vic.send("POST", path, "{\"value\":\"true\"}").status());
                assertRefused(ada.send("POST", path, "{}"), 400, "bad-request", "missing");
                assertRefused(ada.send("POST", path, "{\"value\":\"{\"}"), 400, "bad-request", "not JSON");
                assertRefused(ada.send("POST", path, "{\"value\":\"1 2\"}"), 400, "bad-request", "not JSON");
                assertRefused(ada.send("POST", path, "{\"value\":\" null\"}"), 400, "bad-request", "null");
                assertRefused(
                        ada.send("POST", path, "{\"value\":\"\\\"" + "x".repeat(70_000) + "\\\"\"}"),
                        413,
                        "not-read",
                        "65536 bytes");
                assertRefused(
                        ada.send("POST", path, "{\"value\":\"\\\"PERHAPS\\\"\"}"), 400, "does-not-fit", "APPROVED");
                assertRefused(
                        ada.send("POST", "/api/v1/gates/" + Payroll.slips(id) + "/signal", "{\"value\":\"true\"}"),
                        409,
                        "no-event",
                        "counts jobs");
                assertRefused(
                        ada.send("POST", "/api/v1/gates/" + UUID.randomUUID() + "/signal", "{\"value\":\"true\"}"),
                        404,
                        "not-found",
                        "no such gate");
                assertEquals(List.of(), office.storage.operators().audit(null, 10), "what was refused was written");
                assertEquals(
                        StateName.WAITING,
                        office.storage.queries().states(List.of(id)).get(id));

                Answer done = ada.send("POST", path, "{\"value\":\"\\\"APPROVED\\\"\",\"why\":\"checked\"}");
                assertEquals(200, done.status(), done.body());
                assertTrue(json.readTree(done.body()).get("checked").booleanValue());
                Awaitility.await()
                        .until(() ->
                                office.storage.queries().states(List.of(id)).get(id) == StateName.SUCCEEDED);
                Operators.Done act = audit(office);
                assertEquals("SIGNAL", act.action());
                assertEquals("the event approval of job " + id, act.target());
                assertEquals("ada", act.by());
                assertEquals("checked", act.why());
                assertRefused(
                        ada.send("POST", path, "{\"value\":\"\\\"REFUSED\\\"\"}"), 409, "moved-on", "come before");
                assertEquals(1, office.storage.operators().audit(null, 10).size());
            }
        }
    }

    @Test
    void what_failed_of_a_job_and_all_it_is_made_of_is_counted_and_run_again_the_deepest_first() throws IOException {
        for (StorageProvider storage : storages()) {
            try (Office office = Office.open(storage)) {
                office.failMany(3);
                JobId id = Payroll.failed(office);
                long bad = office.count(StateName.FAILED) - 3 + office.count(StateName.CANCELLED);
                String order = "{\"action\":\"RUN_AGAIN\",\"tree\":\"" + id + "\"";

                assertEquals(
                        "{\"jobs\":" + bad + ",\"more\":false}",
                        post(office, "/api/v1/bulk", order + ",\"dryRun\":true}")
                                .body());
                assertRefused(
                        post(office, "/api/v1/bulk", order + ",\"expected\":" + (bad - 1) + "}"),
                        409,
                        "count-changed",
                        bad + " jobs");
                office.mended.set(true);
                Answer begun = post(office, "/api/v1/bulk", order + ",\"expected\":" + bad + "}");
                assertEquals(202, begun.status(), begun.body());

                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(() ->
                                office.storage.queries().states(List.of(id)).get(id) == StateName.SUCCEEDED);
                assertEquals(0, office.count(StateName.CANCELLED));
                assertEquals(3, office.count(StateName.FAILED), "those of others");
                assertEquals(
                        "what failed or was cancelled of job " + id + " and all it is made of",
                        audit(office).target());
                assertEquals(
                        bad,
                        office.storage.operators().audit(null, 50).stream()
                                .mapToInt(Operators.Done::jobs)
                                .sum());
            }
        }
    }

    @Test
    void a_tree_is_run_again_and_nothing_else_is_done_to_it() throws IOException {
        try (Office office = Office.open(new InMemoryStorageProvider())) {
            JobId id = office.treadle.jobs().enqueue(new Office.Greet("ada"));
            String tree = "\"tree\":\"" + id + "\",\"dryRun\":true}";
            for (String wrong : List.of(
                    "{\"action\":\"CANCEL\"," + tree,
                    "{\"action\":\"RUN_FROM_START\"," + tree,
                    "{\"action\":\"RUN_AGAIN\",\"state\":\"FAILED\"," + tree,
                    "{\"action\":\"RUN_AGAIN\",\"q\":\"x\"," + tree,
                    "{\"action\":\"RUN_AGAIN\",\"tree\":\"x\",\"dryRun\":true}")) {
                assertEquals(400, post(office, "/api/v1/bulk", wrong).status(), wrong);
            }
            assertEquals(
                    404,
                    post(
                                    office,
                                    "/api/v1/bulk",
                                    "{\"action\":\"RUN_AGAIN\",\"dryRun\":true,\"tree\":\"" + UUID.randomUUID() + "\"}")
                            .status());
            assertEquals(
                    "{\"jobs\":0,\"more\":false}",
                    post(office, "/api/v1/bulk", "{\"action\":\"RUN_AGAIN\"," + tree)
                            .body());
        }
    }

    @Test
    void what_is_not_there_is_said_to_be_not_there() throws IOException {
        try (Office office = Office.open(new InMemoryStorageProvider())) {
            String nobody = UUID.randomUUID().toString();
            assertEquals(404, http(office).get("/api/v1/gates/" + nobody).status());
            assertEquals(404, http(office).get("/api/v1/gates/x").status());
            assertEquals(
                    0,
                    get(office, "/api/v1/gates/" + nobody + "/jobs").get("jobs").size());
            assertEquals(
                    0,
                    get(office, "/api/v1/jobs/" + nobody + "/gates")
                            .get("gates")
                            .size());
            assertEquals(
                    0,
                    get(office, "/api/v1/jobs/" + nobody + "/parents")
                            .get("parents")
                            .size());
        }
    }

    private static void assertRefused(Answer answer, int status, String code, String word) {
        assertEquals(status, answer.status(), answer.body());
        assertTrue(answer.body().contains("\"code\":\"" + code + "\""), answer.body());
        assertTrue(answer.body().contains(word), answer.body());
    }

    private static Operators.Done audit(Office office) {
        return office.storage.operators().audit(null, 1).get(0);
    }

    private static List<StorageProvider> storages() {
        return List.of(new InMemoryStorageProvider(), SqlStorageProvider.h2Memory("gates" + UUID.randomUUID()));
    }

    private static Http http(Office office) {
        return new Http(URI.create(office.url()));
    }

    private int jobs(Office office, String query) throws IOException {
        JsonNode page = get(office, "/api/v1/jobs?limit=50&" + query);
        return page.get("jobs").size();
    }

    private JsonNode get(Office office, String path) throws IOException {
        Answer answer = http(office).get(path);
        assertEquals(200, answer.status(), path + " " + answer.body());
        return json.readTree(answer.body());
    }

    private static Answer post(Office office, String path, String body) throws IOException {
        return http(office).writing().send("POST", path, body);
    }
}
