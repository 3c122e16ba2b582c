package dev.treadle.dashboard.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    private final Json json = new Json();

    record Words(String why, Map<String, String> more) {}

    @Test
    void the_character_0_is_refused_and_text_that_looks_like_it_is_not() {
        for (String body : List.of(
                "{\"why\":\"a\\u0000b\"}",
                "{\"why\":\"a\\\\\\u0000b\"}",
                "{\"more\":{\"a\\u0000\":\"b\"}}",
                "{\"not asked for\":[\"\\u0000\"]}")) {
            Problem problem = assertThrows(Problem.class, () -> read(body), body);
            assertEquals(400, problem.status());
            assertTrue(String.valueOf(problem.getMessage()).contains("character 0"), body);
        }
        assertEquals("\\u0000", read("{\"why\":\"\\\\u0000\"}").why());
        assertEquals(
                "C:\\u0000 it is",
                read("{\"why\":\"C:\\\\u0000 it is\",\"more\":{}}").why());
    }

    private Words read(String body) {
        return json.read(
                new Request("POST", "/", Map.of(), Map.of(), "", body.getBytes(StandardCharsets.UTF_8)), Words.class);
    }
}
