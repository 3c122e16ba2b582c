package dev.treadle.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class StateNameTest {
    @Test
    void the_codes_in_storage_never_change() {
        String codes = Arrays.stream(StateName.values())
                .map(state -> state + "=" + state.code())
                .collect(Collectors.joining(" "));

        assertEquals(
                "SCHEDULED=0 ENQUEUED=1 PROCESSING=2 SUCCEEDED=3 FAILED=4 CANCELLED=5 PARKED=6 WAITING=7",
                codes,
                "rows in databases hold these numbers: give a new state a new number and keep the old ones");
    }

    @Test
    void a_code_leads_back_to_its_state() {
        for (StateName state : StateName.values()) {
            assertEquals(state, StateName.of(state.code()));
        }
    }

    @Test
    void a_code_nobody_has_is_answered_with_what_to_do() {
        for (int code : new int[] {-1, 8}) {
            String message = assertThrows(IllegalArgumentException.class, () -> StateName.of(code))
                    .getMessage();

            assertTrue(message.contains("code " + code), message);
            assertTrue(message.contains("Upgrade this node"), message);
        }
    }

    @Test
    void three_states_are_final() {
        assertEquals(
                List.of(StateName.SUCCEEDED, StateName.FAILED, StateName.CANCELLED),
                Arrays.stream(StateName.values()).filter(StateName::isFinal).toList());
    }

    @Test
    void the_events_in_storage_never_change() {
        String codes = Arrays.stream(HistoryEntry.Event.values())
                .map(event -> event + "=" + event.code())
                .collect(Collectors.joining(" "));

        assertEquals(
                "COMPLETED=0 THREW=1 NODE_LOST=2 STOPPED=3 NOT_RUNNABLE=4 CANCELLED=5 RUN_AGAIN=6 SNOOZED=7 SUSPENDED=8"
                        + " EXPIRED=9",
                codes,
                "rows in databases hold these numbers: give a new event a new number and keep the old ones");
        for (HistoryEntry.Event event : HistoryEntry.Event.values()) {
            assertEquals(event, HistoryEntry.Event.of(event.code()));
        }
        assertThrows(IllegalArgumentException.class, () -> HistoryEntry.Event.of(10));
    }
}
