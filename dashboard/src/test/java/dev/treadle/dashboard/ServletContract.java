package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.dashboard.Http.Answer;
import dev.treadle.dashboard.api.Route;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.servlet.DashboardServlet;
import dev.treadle.dashboard.servlet.ServletAuthenticator;
import dev.treadle.job.StateName;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What holds in every servlet container for the dashboard, below a context path, behind an application's own security. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServletContract {
    private static final String ID = "0199a000-0000-7000-8000-000000000000";

    private final ServletContainer.Kind kind;
    private Office office;
    private ServletContainer container;

    ServletContract(ServletContainer.Kind kind) {
        this.kind = kind;
    }

    @BeforeAll
    void begin() {
        office = Office.open(new InMemoryStorageProvider()).fill();
        container = kind.of(builder(), "/shop", "/admin/jobs/*");
    }

    @AfterAll
    void end() {
        container.close();
        office.close();
    }

    private Dashboard.Builder builder() {
        return Dashboard.of(office.treadle).title("Office");
    }

    @Test
    void every_read_is_answered_with_the_status_and_the_headers_of_our_own_server() throws IOException {
        Http ours = new Http(URI.create(office.url()));
        for (Route route : routes()) {
            if (!route.pattern().endsWith("/events")) {
                Answer own = ours.get(path(route));
                Answer here = as("ada:boss").get(at(path(route)));
                assertEquals(own.status(), here.status(), route.pattern());
                for (String name : List.of(
                        "content-type",
                        "content-security-policy",
                        "cache-control",
                        "x-content-type-options",
                        "x-frame-options")) {
                    assertEquals(
                            // a container writes the charset without the blank
                            String.valueOf(own.headers().get(name)).replace("; charset", ";charset"),
                            String.valueOf(here.headers().get(name)).replace("; charset", ";charset"),
                            route.pattern() + " " + name);
                }
            }
        }
        assertEquals(
                ours.get("/assets/x/app.js").body(),
                as("ada:boss").get(at("/assets/x/app.js")).body());
    }

    @Test
    void links_of_the_page_begin_with_the_path_it_was_asked_for() throws IOException {
        for (String path : List.of("", "/", "/jobs", "/nowhere")) {
            Answer answer = as("ada:staff").with("Accept", "text/html").get("/shop/admin/jobs" + path);
            assertEquals(path.equals("/nowhere") ? 404 : 200, answer.status(), path);
            assertTrue(answer.body().contains("name=\"treadle-base\" content=\"/shop/admin/jobs\""), answer.body());
            assertTrue(answer.body().contains("src=\"/shop/admin/jobs/assets/"), answer.body());
        }
        assertEquals("", as("ada:staff").send("HEAD", at("/"), "").body());
    }

    @Test
    void it_can_be_an_application_of_its_own_at_the_root() throws IOException {
        for (String mapping : List.of("/*", "/")) {
            try (ServletContainer root = kind.of(builder(), "", mapping)) {
                Http http = root.http().with("X-Test-User", "ada:ops");
                assertTrue(http.get("/").body().contains("content=\"\""), mapping);
                assertEquals(200, http.get("/jobs").status(), mapping);
                assertTrue(http.get("/api/v1/me").body().contains("\"OPERATOR\""), mapping);
            }
        }
    }

    @Test
    void what_a_client_writes_before_the_path_never_becomes_the_beginning_of_links() throws IOException {
        int answered = 0;
        for (String path : List.of(
                "//elsewhere.example/..;/shop/admin/jobs/",
                "//shop/admin/jobs/",
                "/elsewhere/../shop/admin/jobs/",
                "/shop;x=//elsewhere/admin/jobs/",
                "/shop/;/admin/jobs/",
                "/%73hop/admin/jobs/",
                "/shop/%61dmin/jobs/",
                "/shop/admin/jobs;x/")) {
            Answer answer = as("ada:staff").get(path);
            if (answer.status() == 200) {
                answered++;
                assertFalse(answer.body().contains("elsewhere"), path + answer.body());
                assertTrue(
                        answer.body().matches("(?s).*content=\"/(shop|%73hop)/admin/jobs\".*"), path + answer.body());
            }
        }
        assertTrue(answered > 0, "all were refused, so nothing was looked at");
    }

    @Test
    void without_a_user_of_the_application_nothing_is_answered_but_the_signs_of_life() throws IOException {
        Set<String> answered = new TreeSet<>();
        for (Route route : routes()) {
            Answer answer = container.http().writing().send(route.method(), at(path(route)), "{}");
            if (answer.status() == 401) {
                assertFalse(answer.headers().containsKey("www-authenticate"), "a browser would ask for a password");
            } else {
                answered.add(route.pattern());
            }
        }
        assertEquals(Set.of("/health/live", "/health/ready"), answered);
    }

    @Test
    void a_user_without_a_role_is_told_so() throws IOException {
        Answer answer = as("eve:-").get(at("/api/v1/jobs"));
        assertEquals(403, answer.status());
        assertTrue(answer.body().contains("signed in as eve, who has no role"), answer.body());
    }

    @Test
    void a_viewer_may_write_nothing_and_an_operator_what_is_his_under_his_own_name() throws IOException {
        int writes = 0;
        for (Route route : routes()) {
            if (!route.method().equals("GET")) {
                Answer answer = as("vic:staff").writing().send(route.method(), at(path(route)), "{}");
                assertEquals(403, answer.status(), route.pattern());
                assertTrue(answer.body().contains("\"code\":\"role\""), answer.body());
                writes++;
            }
        }
        assertTrue(writes >= 6, "too few routes that write to mean anything");
        String job = office.one(StateName.FAILED).toString();
        Answer answer =
                as("ada:ops").writing().send("POST", at("/api/v1/jobs/" + job + "/run-again"), "{\"why\":\"mended\"}");
        assertEquals(200, answer.status(), answer.body());
        assertEquals("ada", office.storage.operators().audit(null, 1).get(0).by());
    }

    @Test
    void a_write_of_another_site_is_refused_on_every_route() throws IOException {
        Map<String, UnaryOperator<Http>> wrong = Map.of(
                "without the header", http -> http.with("Content-Type", "application/json"),
                "from another site", http -> http.writing().with("Sec-Fetch-Site", "cross-site"),
                "from another origin", http -> http.writing().with("Origin", "http://evil.example"),
                "as a form", http -> http.writing().with("Content-Type", "application/x-www-form-urlencoded"));
        for (Route route : routes()) {
            for (Map.Entry<String, UnaryOperator<Http>> one : wrong.entrySet()) {
                Answer answer = one.getValue().apply(as("ada:boss")).send("POST", at(path(route)), "{}");
                assertEquals(403, answer.status(), route.pattern() + " " + one.getKey());
            }
        }
        String own = container.url().replaceFirst("/shop.*", "");
        Answer answer = as("ada:ops").writing().with("Origin", own).send("POST", at("/api/v1/bulk"), "{}");
        assertEquals(400, answer.status(), answer.body());
    }

    @Test
    void with_users_any_host_name_will_do_and_without_only_the_allowed_ones() throws IOException {
        assertEquals(
                200,
                as("ada:staff")
                        .with("Host", "jobs.example.com")
                        .get(at("/api/v1/me"))
                        .status());
        DashboardServlet open = DashboardServlet.open(builder().allowHost("intern.example.com"), Role.VIEWER);
        try (ServletContainer everybody = kind.of(open, "", "/jobs/*", true)) {
            Http http = everybody.http();
            assertTrue(http.get("/jobs/api/v1/me").body().contains("\"anybody\",\"role\":\"VIEWER\""));
            assertEquals(
                    200,
                    http.with("Host", "intern.example.com:8080").get("/jobs/").status());
            assertEquals(421, http.with("Host", "evil.example").get("/jobs/").status());
        }
    }

    @Test
    void a_body_that_is_too_long_is_refused_however_it_is_sent() throws IOException {
        String much = "x".repeat(70_000);
        Answer answer = as("ada:ops").writing().send("POST", at("/api/v1/bulk"), much);
        assertEquals(413, answer.status());
        assertTrue(answer.headers().containsKey("content-security-policy"));
        try (Socket socket = socket()) {
            String head = "POST " + at("/api/v1/bulk") + " HTTP/1.1\r\nHost: localhost\r\nX-Test-User: ada:ops\r\n"
                    + "X-Treadle-Request: 1\r\nContent-Type: application/json\r\nConnection: close\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(much.length()) + "\r\n" + much
                    + "\r\n0\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            assertEquals(413, Answer.read(socket.getInputStream(), false).status());
        }
    }

    @Test
    void many_viewers_hold_none_of_the_containers_threads_and_all_see_what_happens() throws IOException {
        List<Socket> viewers = new ArrayList<>();
        try {
            for (int i = 0; i < 5 * ServletContainer.THREADS; i++) {
                viewers.add(stream(container));
            }
            assertEquals(200, as("ada:staff").get(at("/api/v1/me")).status());
            for (Socket viewer : viewers) {
                untilLine(viewer, "event: tick");
            }
        } finally {
            for (Socket viewer : viewers) {
                viewer.close();
            }
        }
    }

    @Test
    void streams_are_ended_for_a_shutdown_and_can_be_allowed_again() throws IOException {
        try (ServletContainer other = kind.of(builder(), "/shop", "/admin/jobs/*");
                Socket viewer = stream(other)) {
            untilLine(viewer, "event: tick");
            other.servlet.endStreams();
            untilEnd(viewer);
            Http http = other.http().with("X-Test-User", "ada:staff");
            Answer answer = http.get(at("/api/v1/events"));
            assertEquals(503, answer.status());
            assertTrue(answer.body().contains("shutting down"), answer.body());
            assertEquals(200, http.get(at("/api/v1/overview")).status());
            other.servlet.allowStreams();
            try (Socket again = stream(other)) {
                untilLine(again, "event: tick");
                other.shutDown();
                untilEnd(again);
            }
        }
    }

    @Test
    void where_the_application_cannot_stream_the_answer_says_what_to_change() throws IOException {
        DashboardServlet servlet =
                DashboardServlet.of(builder(), ServletAuthenticator.roles(Map.of("ops", Role.ADMIN)));
        try (ServletContainer blocking = kind.of(servlet, "", "/jobs/*", false)) {
            Answer answer = blocking.http().with("X-Test-User", "ada:ops").get("/jobs/api/v1/events");
            assertEquals(503, answer.status());
            assertTrue(answer.body().contains("setAsyncSupported(true)"), answer.body());
        }
    }

    @Test
    void a_server_that_starts_after_the_dashboard_is_known() throws IOException {
        try (Treadle late = Treadle.on(new InMemoryStorageProvider()).build();
                ServletContainer other = kind.of(Dashboard.of(late), "", "/jobs/*")) {
            Http http = other.http().with("X-Test-User", "ada:staff");
            assertFalse(http.get("/jobs/api/v1/me").body().contains("\"self\""));
            long id = late.startServer().self().id().value();
            String me = http.get("/jobs/api/v1/me").body();
            assertTrue(me.contains("\"self\":\"" + id + "\""), me);
        }
    }

    @Test
    void it_has_the_users_of_the_application_or_its_own_but_not_both() {
        DashboardServlet both = DashboardServlet.of(
                builder().user("ada", "long-enough", Role.ADMIN), ServletAuthenticator.roles(Map.of()));
        assertThrows(IllegalStateException.class, both::init);
    }

    private static void untilLine(Socket viewer, String wanted) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(viewer.getInputStream(), StandardCharsets.UTF_8));
        List<String> before = new ArrayList<>();
        for (String line = lines.readLine(); !wanted.equals(line); line = lines.readLine()) {
            assertTrue(line != null, "the stream ended without " + wanted + ": " + before);
            before.add(line);
        }
    }

    private static void untilEnd(Socket viewer) throws IOException {
        long until = System.nanoTime() + 30_000_000_000L;
        while (viewer.getInputStream().read() >= 0) {
            assertTrue(System.nanoTime() < until, "the stream goes on");
        }
    }

    private Socket stream(ServletContainer from) throws IOException {
        URI to = URI.create(from.url());
        Socket socket = new Socket(to.getHost(), to.getPort());
        socket.setSoTimeout(30_000);
        String head = "GET " + from.path() + "/api/v1/events HTTP/1.1\r\nHost: localhost\r\nX-Test-User: ada:staff\r\n"
                + "Connection: close\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private Socket socket() throws IOException {
        URI to = URI.create(container.url());
        Socket socket = new Socket(to.getHost(), to.getPort());
        socket.setSoTimeout(30_000);
        return socket;
    }

    private Http as(String user) {
        return container.http().with("X-Test-User", user);
    }

    private static String at(String path) {
        return "/shop/admin/jobs" + path;
    }

    private List<Route> routes() {
        List<Route> routes = office.dashboard.site().site().routes();
        assertTrue(routes.size() > 25, "too few routes to mean anything");
        return routes;
    }

    private static String path(Route route) {
        return route.pattern().replace("{id}", ID).replace("{version}", "x").replace("{file}", "app.js");
    }
}
