package dev.treadle.dashboard.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Request;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PasswordsTest {
    private static final String HASHED = Passwords.hashed("right-password");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final Passwords passwords =
            new Passwords(now::get).addHashed("ada", HASHED, Role.ADMIN).addHashed("vic", HASHED, Role.VIEWER);

    @Test
    void a_password_is_taken_by_its_hash_and_by_the_scheme_in_any_case() {
        assertTrue(HASHED.startsWith("pbkdf2-sha256$600000$"), HASHED);
        for (String scheme : List.of("Basic", "basic", "BASIC")) {
            assertEquals(
                    Role.ADMIN,
                    passwords
                            .user(request("a", scheme, "ada", "right-password"))
                            .orElseThrow()
                            .role());
        }
        assertTrue(
                passwords.user(request("a", "Basic", "ada", "wrong-password")).isEmpty());
        assertTrue(
                passwords.user(request("a", "Bearer", "ada", "right-password")).isEmpty());
        for (String wrong : List.of("", "right-password", HASHED.replace("600000", "1000"), HASHED + "x")) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new Passwords(now::get).addHashed("eve", wrong, Role.ADMIN),
                    wrong);
        }
    }

    @Test
    void many_guesses_at_once_are_no_more_than_five() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Boolean>> guesses = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                Request guess = request("a", "Basic", "ada", "wrong-password-" + i);
                guesses.add(() -> wasChecked(guess));
            }
            int checked = 0;
            for (Future<Boolean> guess : threads.invokeAll(guesses)) {
                checked += guess.get() ? 1 : 0;
            }
            assertEquals(Guesses.FAILURES_MAX, checked);
        } finally {
            threads.shutdownNow();
        }
        assertFalse(wasChecked(request("a", "Basic", "ada", "right-password")));
        assertTrue(wasChecked(request("b", "Basic", "ada", "right-password")), "from another address");
        now.set(now.get().plus(Guesses.WAIT));
        assertTrue(wasChecked(request("a", "Basic", "ada", "right-password")), "when it has waited");
    }

    @Test
    void who_is_signed_in_stays_so_whatever_others_guess_from_the_same_address() {
        Request right = request("a", "Basic", "vic", "right-password");
        assertTrue(passwords.user(right).isPresent());
        for (int i = 0; i < 6; i++) {
            wasChecked(request("a", "Basic", "vic", "wrong-password"));
        }
        assertTrue(passwords.user(right).isPresent());
    }

    @Test
    void names_share_counters_so_that_trying_many_names_is_bounded_and_other_names_are_let_in() {
        Guesses guesses = new Guesses(now::get);
        int let = 0;
        for (int i = 0; i < 10_000; i++) {
            let += guesses.mayTry("a", "name " + i) ? 1 : 0;
        }
        assertEquals(Guesses.COUNTERS * Guesses.FAILURES_MAX, let);
        Guesses one = new Guesses(now::get);
        for (int i = 0; i < 100; i++) {
            one.mayTry("a", "ada");
        }
        long others = java.util.stream.IntStream.range(0, 200)
                .filter(i -> one.mayTry("a", "name " + i))
                .count();
        assertTrue(others > Guesses.FAILURES_MAX, "only " + others);
        now.set(now.get().plus(Duration.ofSeconds(29)));
        assertFalse(one.mayTry("a", "ada"));
    }

    private boolean wasChecked(Request request) {
        try {
            passwords.user(request);
            return true;
        } catch (Problem e) {
            assertEquals("too-many-failures", e.code());
            return false;
        }
    }

    private static Request request(String remote, String scheme, String name, String password) {
        String both = Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
        return new Request(
                "GET", "/", Map.of(), Map.of("authorization", List.of(scheme + " " + both)), remote, new byte[0]);
    }
}
