package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeasureSearchTest {
    @Test
    void a_number_of_jobs_is_asked_for_and_nothing_else_is_taken() {
        assertEquals(10_000_000, MeasureSearch.jobs());
        assertEquals(200_000, MeasureSearch.jobs("200_000"));
        for (List<String> wrong : List.of(
                List.of("many"),
                List.of("-5"),
                List.of("9999"),
                List.of("99999999999999999999"),
                List.of("20000", "x"))) {
            String message = assertThrows(
                            IllegalArgumentException.class, () -> MeasureSearch.jobs(wrong.toArray(String[]::new)))
                    .getMessage();
            assertTrue(message.contains("give "), message);
        }
    }
}
