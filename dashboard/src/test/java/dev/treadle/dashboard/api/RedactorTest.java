package dev.treadle.dashboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dashboard.web.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {
    private final Redactor redactor =
            new Redactor(new Json(), List.of("salary"), getClass().getClassLoader());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"password\":\"canary\"}",
                "[{\"user\":{\"apiKey\":\"canary\"}}]",
                "{\"accessToken\":{\"value\":\"canary\"}}",
                "{\"monthlySalary\":\"canary\"}",
                "{\"client_secret\":[\"canary\"]}",
                "{\"a\":[{\"b\":{\"Authorization\":\"Bearer canary\"}}]}"
            })
    void a_secret_is_not_shown_wherever_it_stands(String arguments) {
        String shown = redactor.arguments(arguments);

        assertFalse(shown.contains("canary"), shown);
        assertTrue(shown.contains(Redactor.HIDDEN), shown);
    }

    @Test
    void text_that_was_cut_off_hides_it_too() {
        for (String text : List.of(
                "{\"password\":\"canary",
                "{\"user\":1,\"apiToken\":\"can\\\"canary\",\"x\":2",
                "password=canary&x=1",
                "login failed: token: canary",
                "{\"salary\":\"canary\",")) {
            assertFalse(redactor.text(text).contains("canary"), redactor.text(text));
        }
    }

    @Test
    void everything_else_stays_as_it_is() {
        for (String text : List.of("{\"id\":12345678901234567890,\"name\":\"ada\"}", "[1,2.50,null]", "\"pinned\"")) {
            assertEquals(text, redactor.arguments(text));
            assertEquals(text, redactor.text(text));
        }
    }
}
