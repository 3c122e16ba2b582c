package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dashboard.Http.Answer;
import dev.treadle.dashboard.api.Route;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.job.StateName;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The defaults hold on every route there is, so that a new one is covered by itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecurityTest {
    private static final String ID = "0199a000-0000-7000-8000-000000000000";

    private Office open;
    private Office closed;

    @BeforeAll
    void begin() {
        open = Office.open(new InMemoryStorageProvider()).fill();
        closed = Office.withUsers(new InMemoryStorageProvider()).fill();
    }

    @AfterAll
    void end() {
        open.close();
        closed.close();
    }

    @Test
    void without_a_sign_in_only_the_signs_of_life_answer() throws IOException {
        Set<String> answered = new TreeSet<>();
        for (Route route : routes()) {
            if (http(closed).writing().send(route.method(), path(route), "{}").status() != 401) {
                answered.add(route.pattern());
            }
        }
        assertEquals(Set.of("/health/live", "/health/ready"), answered);
    }

    @Test
    void no_way_of_writing_a_path_gets_around_the_sign_in() throws IOException {
        for (String path : List.of(
                "/health/live/",
                "/health/live;x",
                "//health/live",
                "/api/v1/jobs/health/live",
                "/health/%6cive",
                "/health/live/../../api/v1/jobs",
                "/api/v1/jobs?x=/health/live",
                "/api/v1/health",
                "/./health/live")) {
            assertEquals(401, http(closed).get(path).status(), path);
        }
        assertEquals(401, http(closed).send("POST", "/health/live", "{}").status());
    }

    @Test
    void another_host_name_is_refused_on_every_route_but_those_that_probes_ask_by_address() throws IOException {
        for (String host :
                List.of("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8000", "[::2]", "10.0.0.1")) {
            for (Route route : routes()) {
                Answer answer = http(open).writing().with("Host", host).send(route.method(), path(route), "{}");
                boolean probed = route.pattern().startsWith("/health/");
                assertEquals(probed ? 200 : 421, answer.status(), host + " " + route.pattern());
            }
        }
        assertEquals(
                200,
                http(open).with("Host", "localhost:9").get("/api/v1/health").status());
        assertEquals(
                200, http(open).with("Host", "[::1]:9").get("/api/v1/health").status());
    }

    @Test
    void what_is_not_reading_needs_our_own_page_on_every_route_and_by_every_method() throws IOException {
        Map<String, UnaryOperator<Http>> wrong = Map.of(
                "without the header", http -> http.with("Content-Type", "application/json"),
                "from another site", http -> http.writing().with("Sec-Fetch-Site", "cross-site"),
                "from the same site", http -> http.writing().with("Sec-Fetch-Site", "same-site"),
                "from another origin", http -> http.writing().with("Origin", "http://evil.example"),
                "from no origin", http -> http.writing().with("Origin", "null"),
                "as a form", http -> http.writing().with("Content-Type", "application/x-www-form-urlencoded"));
        for (Route route : routes()) {
            for (String method : List.of("POST", "PUT", "PATCH", "DELETE", "MADEUP")) {
                for (Map.Entry<String, UnaryOperator<Http>> one : wrong.entrySet()) {
                    Answer answer = one.getValue().apply(http(open)).send(method, path(route), "{}");
                    assertEquals(403, answer.status(), method + " " + route.pattern() + " " + one.getKey());
                }
            }
        }
    }

    @Test
    void reading_changes_nothing() throws IOException {
        Map<StateName, Long> before = open.storage.search().counts();
        for (Route route : routes()) {
            http(open).get(path(route).replace(ID, open.one(StateName.FAILED).toString()));
        }
        assertEquals(before, open.storage.search().counts());
        assertTrue(open.storage.operators().audit(null, 1).isEmpty());
    }

    @Test
    void a_viewer_may_write_nothing_and_an_operator_what_is_his() throws IOException {
        Http viewer = http(closed).as("vic", "viewer-password").writing();
        Http operator = http(closed).as("ada", "operator-password").writing();
        int writes = 0;
        for (Route route : routes()) {
            if (!route.method().equals("GET")) {
                assertTrue(route.role().may(Role.OPERATOR), route.pattern() + " may be done by viewers");
                assertEquals(403, viewer.send(route.method(), path(route), "{}").status(), route.pattern());
                writes++;
            }
        }
        assertTrue(writes >= 6, "too few routes that write to mean anything");
        String job = closed.one(StateName.FAILED).toString();
        assertEquals(
                200,
                operator.send("POST", "/api/v1/jobs/" + job + "/run-again", "{\"why\":\"mended\"}")
                        .status());
        var done = closed.storage.operators().audit(null, 1).get(0);
        assertEquals("ada", done.by());
        assertEquals("mended", done.why());
        assertEquals(job, done.target());
    }

    @Test
    void a_viewer_cannot_guess_secrets_by_searching_arguments_or_errors() throws IOException {
        for (String words : List.of("arg:canary", "error:canary", "ERROR:%22can%22", "x+error:can+Break")) {
            String path = "/api/v1/jobs?state=FAILED&q=" + words;
            Answer answer = http(closed).as("vic", "viewer-password").get(path);
            assertEquals(403, answer.status(), words);
            assertTrue(answer.body().contains("OPERATOR"), answer.body());
            assertEquals(
                    200, http(closed).as("ada", "operator-password").get(path).status(), words);
        }
    }

    @Test
    void what_was_searched_for_in_arguments_and_errors_does_not_stand_in_the_audit_log() throws IOException {
        try (Office office = Office.withUsers(new InMemoryStorageProvider()).fill()) {
            String begun = "{\"action\":\"RUN_AGAIN\",\"state\":\"FAILED\",\"expected\":4," + "\"q\":\"Break arg:"
                    + Office.SECRET + " ERROR:\\\"boom \\\" since:1h\"}";
            Answer answer =
                    http(office).as("ada", "operator-password").writing().send("POST", "/api/v1/bulk", begun);
            assertEquals(202, answer.status(), answer.body());
            Awaitility.await()
                    .until(() -> !office.storage.operators().audit(null, 1).isEmpty());
            assertEquals(
                    "all that are FAILED and match Break arg:••• error:••• since:1h",
                    office.storage.operators().audit(null, 1).get(0).target());
            for (String path : List.of("/api/v1/audit", "/api/v1/operations")) {
                String shown =
                        http(office).as("vic", "viewer-password").get(path).body();
                assertTrue(shown.contains("arg:•••"), shown);
                assertFalse(shown.contains(Office.SECRET) || shown.contains("boom"), shown);
            }
        }
    }

    @Test
    void every_answer_brings_the_headers_that_protect_the_page() throws IOException {
        for (Route route : routes()) {
            Answer answer = http(open).get(path(route));
            String policy = answer.headers().getOrDefault("content-security-policy", "");
            assertTrue(policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self';"), route.pattern());
            assertFalse(policy.contains("unsafe"), policy);
            assertTrue(policy.contains("frame-ancestors 'none'"), policy);
            assertEquals("nosniff", answer.headers().get("x-content-type-options"));
            assertEquals("no-referrer", answer.headers().get("referrer-policy"));
            assertFalse(answer.headers().containsKey("access-control-allow-origin"));
        }
        assertTrue(http(open).with("Host", "evil").get("/").headers().containsKey("content-security-policy"));
    }

    @Test
    void the_document_has_nothing_inline() throws IOException {
        String document = http(open).get("/").body();
        assertFalse(
                document.matches("(?s).*(<style|style=|javascript:|\\son[a-z]+=|<script(?![^>]* src=)).*"), document);
    }

    @Test
    void files_come_from_the_list_and_from_nowhere_else() throws IOException {
        for (String name : List.of(
                "../openapi.json",
                "..%2fopenapi.json",
                "%2e%2e/openapi.json",
                "..\\openapi.json",
                "app.js%00.css",
                "%252e%252e%252fDashboard.class",
                "Dashboard.class",
                "lib/../app.js",
                "/etc/passwd",
                "app.js/")) {
            Answer answer = http(open).get("/assets/x/" + name);
            assertTrue(answer.status() == 404 || answer.status() == 400, name + " " + answer.status());
        }
        assertEquals(200, http(open).get("/assets/x/app.js").status());
    }

    @Test
    void secrets_are_shown_nowhere() throws IOException {
        String job = open.one(StateName.FAILED).toString();
        assertTrue(open.storage
                .queries()
                .find(open.one(StateName.FAILED))
                .orElseThrow()
                .job()
                .invocation()
                .arguments()
                .contains(Office.SECRET));
        for (String path : List.of("/api/v1/jobs", "/api/v1/jobs/" + job, "/api/v1/failures", "/api/v1/overview")) {
            assertFalse(http(open).get(path).body().contains(Office.SECRET), path);
        }
        assertTrue(http(open).get("/api/v1/jobs/" + job).body().contains("•••"));
    }

    @Test
    void errors_tell_no_stack_and_no_class() throws IOException {
        List<String> asked = new ArrayList<>(List.of(
                "/api/v1/jobs/nonsense",
                "/api/v1/jobs/" + ID,
                "/api/v1/jobs?after=x",
                "/api/v1/jobs?limit=abc",
                "/api/v1/jobs?state=x",
                "/api/v1/jobs?since=yesterday",
                "/api/v1/audit?before=-1",
                "/api/v1/overview?window=1y",
                "/nowhere",
                "/api/v1/jobs?state=ENQUEUED&q=error:x",
                "/api/v1/jobs?since=%2B1000000000-12-31T00:00:00Z"));
        for (String path : asked) {
            Answer answer = http(open).get(path);
            assertTrue(answer.status() >= 400 && answer.status() < 500, path + " " + answer.status());
            assertEquals("application/problem+json", answer.headers().get("content-type"), path);
            assertFalse(
                    answer.body().matches("(?s).*(java\\.|dev\\.treadle|Exception|\\tat ).*"), path + answer.body());
            assertTrue(answer.body().contains("\"code\""), answer.body());
        }
        Answer broken = http(open).writing().send("POST", "/api/v1/bulk", "{\"action\":");
        assertEquals(400, broken.status());
        assertFalse(broken.body().contains("dev.treadle"), broken.body());
        assertEquals(
                413,
                http(open)
                        .writing()
                        .send("POST", "/api/v1/bulk", "x".repeat(70_000))
                        .status());
    }

    @Test
    void wrong_passwords_are_refused_and_after_five_have_to_wait() throws IOException {
        try (Office office = Office.withUsers(new InMemoryStorageProvider())) {
            for (int i = 0; i < 5; i++) {
                assertEquals(401, http(office).as("ada", "wrong").get("/").status());
            }
            assertEquals(
                    429, http(office).as("ada", "operator-password").get("/").status());
        }
    }

    @Test
    void signs_of_life_tell_nothing_but_that() throws IOException {
        assertEquals("{\"status\":\"up\"}", http(closed).get("/health/live").body());
        assertEquals("{\"status\":\"ready\"}", http(closed).get("/health/ready").body());
    }

    @Test
    void without_a_sign_in_what_came_through_a_proxy_is_refused_and_told_why() throws IOException {
        for (String header :
                List.of("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "Via", "x-real-ip")) {
            for (Route route : routes()) {
                Answer answer =
                        http(open).writing().with(header, "203.0.113.9").send(route.method(), path(route), "{}");
                boolean probed = route.pattern().startsWith("/health/");
                assertEquals(probed ? 200 : 403, answer.status(), header + " " + route.pattern());
                assertTrue(probed || answer.body().contains("trustedProxies"), answer.body());
            }
        }
        assertEquals(
                401,
                http(closed).with("X-Forwarded-For", "203.0.113.9").get("/").status());
    }

    @Test
    void without_a_sign_in_people_look_and_no_more_unless_that_was_said() throws IOException {
        try (Dashboard usual = Dashboard.of(open.treadle).port(0).start()) {
            Http http = new Http(usual.uri().resolve("/"));
            assertTrue(http.get("/api/v1/me").body().contains("\"role\":\"VIEWER\""));
            for (Route route : routes()) {
                if (!route.method().equals("GET")) {
                    assertEquals(
                            403,
                            http.writing()
                                    .send(route.method(), path(route), "{}")
                                    .status(),
                            route.pattern());
                }
            }
        }
    }

    @Test
    void it_does_not_start_where_strangers_could_reach_it_unknown() {
        Dashboard.Builder builder = Dashboard.of(open.treadle).port(0);
        assertThrows(
                IllegalStateException.class,
                () -> Dashboard.of(open.treadle).port(0).host("0.0.0.0").start());
        assertThrows(
                IllegalStateException.class,
                () -> Dashboard.of(open.treadle)
                        .port(0)
                        .allowHost("jobs.example.com")
                        .start());
        assertThrows(
                IllegalStateException.class,
                () -> Dashboard.of(open.treadle)
                        .port(0)
                        .host("0.0.0.0")
                        .user("ada", "long-enough", Role.ADMIN)
                        .start());
        assertThrows(IllegalArgumentException.class, () -> builder.user("ada", "short", Role.ADMIN));
        assertThrows(IllegalArgumentException.class, () -> builder.user("", "long-enough", Role.ADMIN));
        assertThrows(IllegalArgumentException.class, () -> builder.basePath("jobs/"));
        Dashboard allowed = Dashboard.of(open.treadle)
                .port(0)
                .host("0.0.0.0")
                .allowHost("jobs.example.com")
                .user("ada", "long-enough", Role.ADMIN)
                .start();
        allowed.close();
    }

    @Test
    void with_the_defaults_no_address_of_this_machine_but_loopback_is_listened_on() throws SocketException {
        int port = open.dashboard.uri().getPort();
        for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(card.getInetAddresses())) {
                if (!address.isLoopbackAddress()) {
                    assertThrows(IOException.class, () -> new Socket(address, port).close(), address::toString);
                }
            }
        }
    }

    private List<Route> routes() {
        List<Route> routes = open.dashboard.site().site().routes();
        assertTrue(routes.size() > 25, "too few routes to mean anything");
        return routes;
    }

    private static String path(Route route) {
        return route.pattern().replace("{id}", ID).replace("{version}", "x").replace("{file}", "app.js");
    }

    private static Http http(Office office) {
        return new Http(URI.create(office.url()));
    }
}
