package dev.treadle.dashboard.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Request;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the guard says in the log, and whom it takes for whom. */
class GuardTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final AtomicReference<String> askedFrom = new AtomicReference<>("");
    private final Guard guard = new Guard(
            Set.of("jobs.example.com"),
            Proxies.at(List.of("10.0.0.1")),
            request -> {
                askedFrom.set(request.remote());
                return "right".equals(request.header("Authorization"))
                        ? Optional.of(new User("ada", Role.ADMIN))
                        : Optional.empty();
            },
            new User("nobody", Role.VIEWER),
            new RefusalLog(now::get));
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.treadle.dashboard.guard");

    @BeforeEach
    void listen() {
        said.start();
        logger.addAppender(said);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(said);
    }

    @Test
    void a_refused_sign_in_stands_in_the_log_with_the_address_that_a_trusted_proxy_says() {
        assertThrows(Problem.class, () -> guard.admit(request("10.0.0.1", "wrong", "203.0.113.9")));
        assertEquals("203.0.113.9", askedFrom.get());
        assertEquals(
                List.of("The dashboard refused GET /api/v1/jobs?? from 203.0.113.9: a wrong name or password."),
                lines());
    }

    @Test
    void who_has_only_not_signed_in_yet_is_not_written_down() {
        assertThrows(Problem.class, () -> guard.admit(request("10.0.0.1", "", "203.0.113.9")));
        assertEquals(List.of(), lines());
    }

    @Test
    void a_sign_in_without_tls_from_elsewhere_is_warned_of_once() {
        guard.admit(request("127.0.0.1", "right", ""));
        guard.admit(request("10.0.0.1", "right", "203.0.113.9"));
        assertEquals(List.of(), lines(), "by loopback, and by a proxy with https");
        guard.admit(request("10.9.9.9", "right", "203.0.113.9"));
        guard.admit(request("10.9.9.9", "right", "203.0.113.9"));
        assertEquals(1, lines().size());
        assertTrue(lines().get(0).startsWith("ada has signed in to the dashboard from 10.9.9.9 without TLS"));
    }

    @Test
    void strangers_do_not_fill_the_log() {
        for (int i = 0; i < 1_000; i++) {
            assertThrows(Problem.class, () -> guard.admit(request("10.9.9.9", "wrong", "")));
        }
        assertEquals(RefusalLog.LINES_MAX, lines().size());
        now.set(now.get().plus(RefusalLog.WINDOW));
        assertThrows(Problem.class, () -> guard.admit(request("10.9.9.9", "wrong", "")));
        assertEquals(RefusalLog.LINES_MAX + 2, lines().size());
        assertTrue(lines().get(RefusalLog.LINES_MAX).contains("980 more"), lines().toString());
    }

    private List<String> lines() {
        return said.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static Request request(String remote, String password, String forwarded) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("host", List.of("jobs.example.com"));
        headers.put("x-forwarded-proto", List.of("https"));
        if (!forwarded.isEmpty()) {
            headers.put("x-forwarded-for", List.of(forwarded));
        }
        if (!password.isEmpty()) {
            headers.put("authorization", List.of(password));
        }
        return new Request("GET", "/api/v1/jobs\n\u00e4", Map.of(), headers, remote, new byte[0]);
    }
}
