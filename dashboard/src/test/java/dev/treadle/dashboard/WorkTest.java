package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dashboard.Http.Answer;
import dev.treadle.job.StateName;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator does, over the API. */
@Timeout(120)
class WorkTest {
    private final JsonMapper json = new JsonMapper();

    @Test
    void everything_that_matches_is_counted_confirmed_and_then_done_in_the_background() throws IOException {
        try (Office office = Office.open(SqlStorageProvider.h2Memory("bulk" + UUID.randomUUID()))) {
            office.failMany(450);
            Http http = http(office).writing();
            String order = "{\"action\":\"DELETE\",\"state\":\"FAILED\",\"q\":\"many\",";
            assertEquals(
                    0,
                    tree(http.send("POST", "/api/v1/bulk", order + "\"dryRun\":true}"))
                            .get("jobs")
                            .intValue());

            order = "{\"action\":\"DELETE\",\"state\":\"FAILED\",\"q\":\"error:many\",\"why\":\"old\",";
            assertEquals(450, counted(http, order));
            assertEquals(450, office.count(StateName.FAILED));
            assertEquals(
                    409,
                    http.send("POST", "/api/v1/bulk", order + "\"expected\":1}").status());
            assertEquals(
                    409,
                    http.send("POST", "/api/v1/bulk", order + "\"dryRun\":false}")
                            .status());

            Answer begun = http.send("POST", "/api/v1/bulk", order + "\"expected\":450}");
            assertEquals(202, begun.status());
            String id = tree(begun).get("id").stringValue();
            Awaitility.await()
                    .until(() -> tree(http.get("/api/v1/operations/" + id)).has("endedAt"));

            JsonNode over = tree(http.get("/api/v1/operations/" + id));
            assertEquals("done", over.get("standing").stringValue());
            assertEquals(450, over.get("done").intValue());
            assertEquals(0, office.count(StateName.FAILED));
            assertEquals(
                    450,
                    office.storage.operators().audit(null, 50).stream()
                            .mapToInt(row -> row.jobs())
                            .sum());
        }
    }

    /** Counted in as many requests as it takes: a busy machine may need several. */
    private int counted(Http http, String order) throws IOException {
        int jobs = 0;
        JsonNode step;
        String after = "";
        do {
            step = tree(http.send("POST", "/api/v1/bulk", order + "\"dryRun\":true" + after + "}"));
            jobs += step.get("jobs").intValue();
            after = ",\"after\":" + step.get("next");
        } while (step.get("more").booleanValue());
        return jobs;
    }

    @Test
    void a_bulk_action_needs_a_state_and_an_action_there_is() throws IOException {
        try (Office office = Office.open(new InMemoryStorageProvider())) {
            Http http = http(office).writing();
            assertEquals(
                    400,
                    http.send("POST", "/api/v1/bulk", "{\"action\":\"DELETE\",\"dryRun\":true}")
                            .status());
            assertEquals(
                    400,
                    http.send("POST", "/api/v1/bulk", "{\"action\":\"EXEC\",\"state\":\"FAILED\"}")
                            .status());
        }
    }

    @Test
    void what_asks_for_two_states_at_once_is_refused_and_two_words_must_both_fit() throws IOException {
        try (Office office = Office.open(new InMemoryStorageProvider()).fill()) {
            Http http = http(office).writing();
            for (String words : List.of("state:succeeded", "Break state:SUCCEEDED", "state:\\\"cancelled\\\"")) {
                Answer answer = http.send(
                        "POST",
                        "/api/v1/bulk",
                        "{\"action\":\"DELETE\",\"state\":\"FAILED\",\"dryRun\":true,\"q\":\"" + words + "\"}");
                assertEquals(400, answer.status(), words);
                assertTrue(answer.body().contains("FAILED and "), answer.body());
            }
            assertEquals(
                    400, http.get("/api/v1/jobs?state=FAILED&q=state:succeeded").status());
            assertEquals(
                    400, http.get("/api/v1/jobs?q=state:failed+state:succeeded").status());
            assertEquals(400, http.get("/api/v1/jobs?q=queue:a+queue:b").status());
            assertEquals(
                    400, http.get("/api/v1/jobs?q=error:boom+state:succeeded").status());
            assertEquals(4, jobs(http, "state=FAILED&q=state:failed"));
            assertEquals(4, jobs(http, "q=error:boom+state:failed"));
            assertEquals(0, jobs(http, "state=FAILED&q=Greet+Break"));
            assertEquals(1, jobs(http, "q=arg:boom+arg:2"));
            assertEquals(0, jobs(http, "q=since:1h+since:0s"));
            String both = "{\"action\":\"DELETE\",\"state\":\"FAILED\",\"q\":\"Greet Break\",\"dryRun\":true}";
            JsonNode count = tree(http.send("POST", "/api/v1/bulk", both));
            assertEquals(0, count.get("jobs").intValue());
            assertFalse(count.get("more").booleanValue());
        }
    }

    @Test
    void a_job_is_run_again_cancelled_run_now_and_deleted() throws IOException {
        try (Office office = Office.open(new InMemoryStorageProvider()).fill()) {
            Http http = http(office).writing();
            String scheduled = office.one(StateName.SCHEDULED).toString();
            assertEquals(
                    200,
                    http.send("POST", "/api/v1/jobs/" + scheduled + "/run-now", "")
                            .status());
            Awaitility.await()
                    .until(() -> tree(http.get("/api/v1/jobs/" + scheduled))
                            .get("job")
                            .get("state")
                            .stringValue()
                            .equals("SUCCEEDED"));
            Answer again = http.send("POST", "/api/v1/jobs/" + scheduled + "/cancel", "{}");
            assertEquals(409, again.status());
            assertTrue(again.body().contains("moved-on"), again.body());
            String running = office.one(StateName.PROCESSING).toString();
            assertEquals(
                    409,
                    http.send("POST", "/api/v1/jobs/" + running + "/delete", "{}")
                            .status());
            Answer stack = http.get("/api/v1/jobs/" + running + "/stack");
            assertTrue(stack.body().contains("CountDownLatch.await"), stack.body());
            assertEquals(
                    200,
                    http.send("POST", "/api/v1/jobs/" + running + "/cancel", "{}")
                            .status());
            String failed = office.one(StateName.FAILED).toString();
            assertEquals(
                    204,
                    http.send("POST", "/api/v1/jobs/" + failed + "/delete", "{}")
                            .status());
            assertEquals(404, http.get("/api/v1/jobs/" + failed).status());
        }
    }

    @Test
    void the_stack_of_a_job_is_its_own_threads_and_those_of_its_forks_under_their_names() throws IOException {
        try (Office office = Office.open(new InMemoryStorageProvider())) {
            String id = office.treadle.jobs().enqueue(new Office.Split(1)).toString();
            Http http = http(office);
            Awaitility.await().until(() -> {
                JsonNode now = tree(http.get("/api/v1/jobs/" + id + "/stack"));
                return now.get("frames").toString().contains("Office.split")
                        && now.get("forks").size() == 2
                        && now.get("forks").get(0).toString().contains("Office.updateInventory")
                        && now.get("forks").get(1).toString().contains("Office.updateInventory");
            });
            JsonNode forks = tree(http.get("/api/v1/jobs/" + id + "/stack")).get("forks");
            assertEquals(
                    "job-" + id + "/update-inventory", forks.get(0).get("name").stringValue());
            assertEquals("job-" + id + "/update-order", forks.get(1).get("name").stringValue());
        }
    }

    @Test
    void what_recurs_is_triggered_paused_and_rescheduled_by_those_who_may() throws IOException {
        try (Office office = Office.withUsers(new InMemoryStorageProvider()).fill()) {
            Http ada = http(office).as("ada", "operator-password").writing();
            assertEquals(403, recur(ada, "nightly", "RESET").status());
            assertEquals(404, recur(ada, "none", "PAUSE").status());
            assertEquals(400, recur(ada, "nightly", "X").status());
            String job = tree(recur(ada, "nightly", "TRIGGER")).get("job").stringValue();
            Awaitility.await()
                    .until(() -> tree(ada.get("/api/v1/jobs/" + job))
                            .get("job")
                            .get("state")
                            .stringValue()
                            .equals("SUCCEEDED"));
            assertEquals(200, recur(ada, "nightly", "PAUSE").status());
            JsonNode nightly =
                    tree(ada.get("/api/v1/recurring")).get("recurring").get(0);
            assertEquals("PAUSED", nightly.get("status").stringValue());
            assertEquals("ada", nightly.get("by").stringValue());
            assertEquals(2, office.storage.operators().audit(null, 10).size());
        }
    }

    private static Answer recur(Http http, String id, String action) throws IOException {
        return http.send("POST", "/api/v1/recurring", "{\"id\":\"" + id + "\",\"action\":\"" + action + "\"}");
    }

    @Test
    void the_search_field_finds_by_type_label_argument_error_and_time() throws IOException {
        try (Office office = Office.open(new InMemoryStorageProvider()).fill()) {
            Http http = http(office);
            assertEquals(4, jobs(http, "q=Break"));
            assertEquals(1, jobs(http, "q=label:vip"));
            assertEquals(1, jobs(http, "q=later+one") + jobs(http, "q=%22later+one%22") - jobs(http, "q=one+later"));
            assertEquals(1, jobs(http, "q=arg:bob"));
            assertEquals(1, jobs(http, "q=error:%22boom+2%22"));
            assertEquals(0, jobs(http, "q=until:1h"));
            assertEquals(10, jobs(http, "since=1h"));
            assertEquals(4, jobs(http, "state=failed&limit=100000"));
        }
    }

    @Test
    void the_live_stream_resumes_where_it_stopped_and_says_when_it_cannot() throws IOException {
        try (Office office = Office.open(new InMemoryStorageProvider())) {
            List<String> first = events(office, null, 2);
            String last = first.get(first.size() - 1);
            office.dashboard.look();
            office.dashboard.look();
            List<String> resumed = events(office, last, 2);
            assertEquals(Long.parseLong(last) + 1, Long.parseLong(resumed.get(0)));
            List<String> lost = events(office, "999999999", 2);
            assertEquals("resync", lost.get(0));
        }
    }

    @Test
    void the_charts_are_full_at_once_and_the_verdict_has_a_sentence() throws IOException {
        try (Office office = Office.open(new InMemoryStorageProvider()).fill()) {
            for (int i = 0; i < 5; i++) {
                office.dashboard.look();
            }
            JsonNode overview = tree(http(office).get("/api/v1/overview"));
            assertTrue(overview.get("points").size() >= 5);
            assertEquals(
                    "HEALTHY", overview.get("now").get("verdict").get("level").stringValue());
            assertEquals(4, overview.get("failures").get(0).get("jobs").intValue());
            assertTrue(overview.get("now").get("servers").size() == 1);
        }
    }

    @Test
    void it_is_reached_under_a_base_path_and_nowhere_else() throws IOException {
        try (Office office = new Office(new InMemoryStorageProvider(), builder -> builder.basePath("/admin/jobs"))) {
            Http http = new Http(URI.create(office.url()));
            Answer page = http.get("/admin/jobs/");
            assertEquals(200, page.status());
            assertTrue(page.body().contains("src=\"/admin/jobs/assets/"), page.body());
            assertEquals(200, http.get("/admin/jobs/api/v1/health").status());
            assertEquals(404, http.get("/api/v1/health").status());
            assertEquals(404, http.get("/admin/jobsx/api/v1/health").status());
        }
    }

    @Test
    void a_taken_port_is_an_error_that_says_so_or_the_next_one_if_that_was_asked() {
        try (Office office = Office.open(new InMemoryStorageProvider())) {
            int taken = office.dashboard.uri().getPort();
            String message = assertThrows(
                            java.io.UncheckedIOException.class,
                            () -> Dashboard.of(office.treadle).port(taken).start())
                    .getMessage();
            assertTrue(message.contains(Integer.toString(taken)), message);
            try (Dashboard next =
                    Dashboard.of(office.treadle).port(taken).orNextPort().start()) {
                assertNotEquals(taken, next.uri().getPort());
            }
        }
    }

    @Test
    void the_page_weighs_no_more_than_150_kilobytes() {
        try (Office office = Office.open(new InMemoryStorageProvider())) {
            int bytes = office.dashboard.site().pageBytes();
            assertTrue(bytes < 150_000, bytes + " bytes");
            assertFalse(bytes < 10_000, "too little to be all of it");
        }
    }

    private int jobs(Http http, String query) throws IOException {
        Answer answer = http.get("/api/v1/jobs?" + query);
        assertEquals(200, answer.status(), answer.body());
        return tree(answer).get("jobs").size();
    }

    /** The ids of the first events, or "resync" where that is what came. */
    private static List<String> events(Office office, String after, int count) throws IOException {
        List<String> ids = new ArrayList<>();
        URI to = office.dashboard.uri();
        try (Socket socket = new Socket(to.getHost(), to.getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream()
                    .write(("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n"
                                    + (after == null ? "" : "Last-Event-ID: " + after + "\r\n") + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            while (ids.size() < count) {
                String line = in.readLine();
                if (line == null) {
                    break;
                }
                if (line.startsWith("id: ")) {
                    ids.add(line.substring(4));
                } else if (line.equals("event: resync")) {
                    ids.add("resync");
                }
            }
        }
        return ids;
    }

    private JsonNode tree(Answer answer) {
        return json.readTree(answer.body());
    }

    private static Http http(Office office) {
        return new Http(URI.create(office.url()));
    }
}
