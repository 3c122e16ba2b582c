package dev.treadle.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobIdTest {
    private static final JobId PARENT = JobId.parse("01890a5d-ac96-774b-bcce-b302099a8057");

    @Test
    void derived_ids_stay_the_same_for_ever() {
        String why = "children that were enqueued before an upgrade would be enqueued again after it";

        assertEquals(
                "01890a5d-ac96-8a08-97ea-4241fe8e4bb6", PARENT.derive("slip 42").toString(), why);
        assertEquals(
                "01890a5d-ac96-8344-b794-833243196395",
                PARENT.derive("Gehältsabrechnung €").toString(),
                why);
    }

    @Test
    void another_name_or_another_parent_gives_another_id() {
        JobId child = PARENT.derive("slip 42");

        assertNotEquals(child, PARENT.derive("slip 43"));
        assertNotEquals(child, child.derive("slip 42"));
    }

    @Test
    void derived_ids_are_of_version_8_and_of_the_usual_variant() {
        for (int i = 0; i < 1_000; i++) {
            UUID child = PARENT.derive("slip " + i).value();

            assertEquals(8, child.version());
            assertEquals(2, child.variant());
        }
    }

    @Test
    void ids_sort_without_a_sign() {
        List<JobId> ascending = Stream.of(
                        "00000000-0000-0000-0000-000000000000",
                        "00000000-0000-0000-0000-000000000001",
                        "00000000-0000-0000-8000-000000000000",
                        "7fffffff-ffff-7fff-8000-000000000000",
                        "80000000-0000-7000-8000-000000000000",
                        "ffffffff-ffff-ffff-ffff-ffffffffffff")
                .map(JobId::parse)
                .toList();

        for (int i = 0; i < ascending.size(); i++) {
            for (int j = 0; j < ascending.size(); j++) {
                assertEquals(
                        Integer.compare(i, j),
                        Integer.signum(ascending.get(i).compareTo(ascending.get(j))),
                        ascending.get(i) + " and " + ascending.get(j));
            }
        }
    }

    @Test
    void a_text_is_read_back() {
        assertEquals(PARENT, JobId.parse(PARENT.toString()));
        assertEquals(PARENT, JobId.of(PARENT.value()));
        assertEquals("01890a5d-ac96-774b-bcce-b302099a8057", PARENT.toString());
    }

    @Test
    void what_is_no_uuid_is_refused() {
        for (String text : List.of("", "42", "01890a5d-ac96-774b-bcce", "not-a-uuid-at-all")) {
            assertThrows(IllegalArgumentException.class, () -> JobId.parse(text), text);
        }
        assertTrue(PARENT.toString().matches("[0-9a-f-]{36}"));
    }
}
