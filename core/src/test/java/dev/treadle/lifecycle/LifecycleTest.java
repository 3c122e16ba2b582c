package dev.treadle.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every trigger in every state: the page of the docs says what is to follow, {@link Lifecycle} what does. */
class LifecycleTest {
    private static final JobId ID = JobId.of(new UUID(0, 7));
    private static final int ATTEMPT = 4;
    private static final Due BEFORE = new Due.At(Instant.parse("2026-01-01T00:00:00Z"));
    private static final Due ASKED = new Due.After(Duration.ofMinutes(3));
    /** No job; then all states. */
    private static final List<@Nullable StateName> STATES = states();

    private static final JobTraits PLAIN = JobTraits.DEFAULT;
    private static final JobTraits LIMITED = PLAIN.withKey(KeyRule.limit("tenant", 2));
    private static final JobTraits ORDERED = PLAIN.withKey(KeyRule.mailbox("order"));
    private static final JobTraits SKIPPING =
            PLAIN.withKey(KeyRule.mailbox("order").skippingRetries());

    private final StatesPage page = StatesPage.read();

    private static List<@Nullable StateName> states() {
        List<@Nullable StateName> states = new ArrayList<>();
        states.add(null);
        states.addAll(Arrays.asList(StateName.values()));
        return states;
    }

    @Test
    void each_trigger_in_each_state_does_what_the_page_says() {
        int cells = 0;
        for (Trigger trigger : Trigger.values()) {
            for (StateName state : STATES) {
                Transition decided = decide(at(state, PLAIN, Slot.NOT_NEEDED), trigger);
                String next = decided == null
                        ? StatesPage.REFUSED
                        : StatesPage.name(decided.to().state(), "(gone)");

                assertEquals(page.next(trigger, state), next, () -> trigger + " in " + state);
                cells++;
            }
        }
        assertEquals(Trigger.values().length * (StateName.values().length + 1), cells);
        assertEquals(cells, page.cells(), "cells of the page");
    }

    @Test
    void each_trigger_writes_what_the_page_says() {
        for (Trigger trigger : Trigger.values()) {
            for (StateName state : STATES) {
                Transition decided = decide(at(state, PLAIN, Slot.NOT_NEEDED), trigger);
                if (decided != null) {
                    assertEquals(page.effect(trigger), effect(decided), () -> trigger + " in " + state);
                }
            }
        }
        assertEquals(Trigger.values().length, page.effects(), "rows of the page");
    }

    private static List<String> effect(Transition decided) {
        int attempt = decided.to().attempt();
        String attempts = Map.of(
                        0, "none", ATTEMPT, "kept", ATTEMPT + 1, "one more", ATTEMPT - 1, "not counted", 1, "one more")
                .getOrDefault(attempt, "unknown: " + attempt);
        Due when = decided.to().when();
        String due =
                when.equals(BEFORE) ? "kept" : when.equals(ASKED) ? "given" : when.equals(Due.NOW) ? "now" : "unknown";
        return List.of(
                attempts,
                decided.event() == null ? StatesPage.REFUSED : decided.event().name(),
                due,
                decided.trigger().takesLease() ? "asked to end" : StatesPage.REFUSED);
    }

    @Test
    void the_diagram_shows_every_move_and_no_other() {
        Map<String, TreeSet<String>> arrows = new TreeMap<>();
        for (Trigger trigger : Trigger.values()) {
            for (StateName state : STATES) {
                if (trigger.isAllowedIn(state)) {
                    String arrow = StatesPage.name(state, "[*]") + " --> " + StatesPage.name(trigger.to(), "[*]");
                    arrows.computeIfAbsent(arrow, unseen -> new TreeSet<>()).add(trigger.name());
                }
            }
        }

        assertEquals(arrows, page.arrows());
    }

    @Test
    void only_a_run_that_goes_on_is_asked_to_end() {
        assertTrue(required(at(StateName.PROCESSING, PLAIN, Slot.NOT_NEEDED), Trigger.CANCEL)
                .stopsRun());
        assertFalse(required(at(StateName.PARKED, PLAIN, Slot.NOT_NEEDED), Trigger.CANCEL)
                .stopsRun());
        assertFalse(required(at(StateName.PROCESSING, PLAIN, Slot.NOT_NEEDED), Trigger.SUCCEED)
                .stopsRun());
    }

    @Test
    void a_job_without_a_key_never_needs_a_slot() {
        allTransitions(PLAIN, Slot.NOT_NEEDED).forEach(decided -> {
            assertEquals(Slot.NOT_NEEDED, decided.to().slot(), decided::toString);
            assertFalse(decided.releasesSlot(), decided::toString);
        });
    }

    @Test
    void a_job_keeps_its_slot_until_it_has_ended_if_its_key_says_so() {
        assertSlots(ORDERED, Slot.HELD, Slot.HELD);
        assertSlots(SKIPPING, Slot.HELD, Slot.LACKING);
        assertSlots(LIMITED, Slot.HELD, Slot.LACKING);
        assertSlots(ORDERED, Slot.LACKING, Slot.LACKING);
        assertSlots(LIMITED, Slot.LACKING, Slot.LACKING);
    }

    /** @param asleep what is left of the slot while the job waits for its time or at a gate, or is parked */
    private static void assertSlots(JobTraits traits, Slot before, Slot asleep) {
        for (Transition decided : allTransitions(traits, before)) {
            StateName next = decided.to().state();
            Slot expected = Slot.LACKING;
            if (next == StateName.ENQUEUED || next == StateName.PROCESSING) {
                expected = before;
            } else if (next == StateName.SCHEDULED || next == StateName.PARKED || next == StateName.WAITING) {
                expected = asleep;
            }
            assertEquals(expected, decided.to().slot(), decided::toString);
            assertEquals(before == Slot.HELD && expected == Slot.LACKING, decided.releasesSlot(), decided::toString);
        }
    }

    private static List<Transition> allTransitions(JobTraits traits, Slot slot) {
        List<Transition> all = new ArrayList<>();
        for (Trigger trigger : Trigger.values()) {
            if (trigger != Trigger.REPLACE && trigger != Trigger.RESCHEDULE) {
                STATES.forEach(state -> {
                    Transition decided = decide(at(state, traits, slot), trigger);
                    if (decided != null) {
                        all.add(decided);
                    }
                });
            }
        }
        return all;
    }

    @Test
    void a_job_that_is_replaced_lets_go_of_its_slot_and_takes_over_what_the_other_asks_for() {
        Position waits = at(StateName.SCHEDULED, ORDERED, Slot.HELD);

        Transition now = Objects.requireNonNull(Lifecycle.replace(ID, waits, LIMITED, ASKED, false));
        Transition later = Objects.requireNonNull(Lifecycle.replace(ID, waits, PLAIN, ASKED, true));

        assertEquals(new Position(StateName.ENQUEUED, LIMITED, Slot.LACKING, 0, ASKED), now.to());
        assertTrue(now.to().isInKeyQueue());
        assertTrue(now.releasesSlot());
        assertEquals(new Position(StateName.SCHEDULED, PLAIN, Slot.NOT_NEEDED, 0, ASKED), later.to());
        assertTrue(later.releasesSlot());
    }

    @Test
    void what_is_not_the_end_of_an_attempt_has_no_lease_and_is_refused_as_one() {
        Transition cancelled = required(at(StateName.PROCESSING, PLAIN, Slot.NOT_NEEDED), Trigger.CANCEL);

        assertFalse(cancelled.endsAttempt());
        assertThrows(IllegalStateException.class, cancelled::lease);
        assertEquals(
                List.of(
                        Trigger.SUCCEED,
                        Trigger.RETRY,
                        Trigger.FAIL,
                        Trigger.RESCUE,
                        Trigger.ABANDON,
                        Trigger.SNOOZE,
                        Trigger.SUSPEND,
                        Trigger.PARK,
                        Trigger.GIVE_BACK,
                        Trigger.STOP),
                Arrays.stream(Trigger.values()).filter(Trigger::endsAttempt).toList());
    }

    @Test
    void how_long_a_job_waits_is_known_if_it_waits_for_its_time_from_now_on() {
        Position runs = at(StateName.PROCESSING, PLAIN, Slot.NOT_NEEDED);

        assertEquals(Duration.ofMinutes(3), required(runs, Trigger.RETRY).delay());
        assertNull(required(runs, Trigger.GIVE_BACK).delay());
        assertNull(required(runs, Trigger.FAIL).delay());
    }

    private static Position at(@Nullable StateName state, JobTraits traits, Slot slot) {
        return new Position(state, traits, slot, state == null ? 0 : ATTEMPT, BEFORE);
    }

    private static Transition required(Position from, Trigger trigger) {
        Transition decided = decide(from, trigger);
        assertNotNull(decided, () -> trigger + " of " + from);
        return decided;
    }

    private static @Nullable Transition decide(Position from, Trigger trigger) {
        return switch (trigger) {
            case REPLACE -> Lifecycle.replace(ID, from, from.traits(), ASKED, false);
            case RESCHEDULE -> Lifecycle.replace(ID, from, from.traits(), ASKED, true);
            default -> Lifecycle.decide(ID, from, trigger, Details.NONE, ASKED);
        };
    }
}
