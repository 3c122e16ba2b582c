package dev.treadle.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.admission.HeapStep.Decision;
import dev.treadle.admission.HeapStep.Look;
import dev.treadle.admission.HeapStep.State;
import org.junit.jupiter.api.Test;

class HeapStepTest {
    private static final HeapLimits LIMITS = new HeapLimits(0.70, 0.55, 0.45, 8, 8, 10_000);
    private static final int TOTAL = 1_000;

    private long ranOut;
    private long clock;
    private State state = begin(8, 0, 0, 0);

    @Test
    void little_that_is_live_admits_what_would_fit_at_twice_the_need_once_as_many_jobs_have_ended() {
        assertNull(look(heap(10, 5), 8, 7, true, 100), "not all of them have shown what they need");
        assertNotNull(look(heap(10, 6), 8, 8, true, 200));
        assertEquals(21, state.admitted(), "8 need 10 of the 45 that may be live, so 14 more need 35 at most");
    }

    @Test
    void what_is_live_without_any_job_is_no_need_of_theirs() {
        Heap filled = new Heap(100, 20, 18, 18, 1, 1);
        state = State.first(8, new Look(filled, 0, 0, 0, false, 0));
        look(heap(20, 6), 8, 8, true, 100);
        assertEquals(57, state.admitted(), "8 need 2, and 25 are left below 45: room for 49 at twice that need");

        state = State.first(8, new Look(filled, 0, 0, 0, false, 0));
        look(heap(18, 6), 8, 8, true, 100);
        assertEquals(64, state.admitted(), "what needs nothing is multiplied by 8 and no more");
    }

    @Test
    void before_any_job_has_ended_each_look_at_a_roomy_heap_doubles_what_is_admitted_up_to_what_is_unproven() {
        for (int expected : new int[] {16, 32, 50, 50}) {
            open(new Heap(100, 20, 0, 0, 0, 0), state.admitted(), true);
            assertEquals(expected, state.admitted());
        }
    }

    @Test
    void nobody_is_let_in_who_does_not_wait_or_into_a_heap_that_fills_up() {
        open(new Heap(100, 20, 0, 0, 0, 0), 8, false);
        assertEquals(8, state.admitted());
        open(new Heap(100, 50, 0, 0, 0, 0), 8, true);
        assertEquals(8, state.admitted(), "half of it is used, and nobody knows what of that is live");
        open(new Heap(100, 50, 10, 10, 1, 1), 8, true);
        assertEquals(16, state.admitted());
        open(new Heap(100, 60, 50, 50, 2, 2), 16, true);
        assertEquals(16, state.admitted(), "half of it is live");
    }

    @Test
    void a_heap_that_was_too_full_once_is_opened_again_only_after_a_rest() {
        open(new Heap(100, 80, 80, 80, 1, 1), 8, true);
        assertEquals(5, state.admitted(), "lowered");
        for (int i = 0; i < 10; i++) {
            open(new Heap(100, 5, 5, 5, 2, 2), 5, true);
        }
        assertEquals(5, state.admitted(), "nothing has ended");

        for (int i = 0; i < 45; i++) {
            open(new Heap(100, 5, 5, 5, 2, 2), 0, false);
        }
        open(new Heap(100, 5, 5, 5, 2, 2), 8, true);
        assertEquals(16, state.admitted());
    }

    /** A look a tenth of a second after the last, at which nothing has ended, with 50 that may be unproven. */
    private void open(Heap heap, int running, boolean wanted) {
        clock += 100;
        HeapLimits limits = new HeapLimits(0.70, 0.55, 0.45, 8, 50, 10_000);
        state = HeapStep.after(state, new Look(heap, running, 0, 0, wanted, clock), limits, TOTAL)
                .state();
    }

    @Test
    void a_moderate_live_set_raises_by_half_and_a_greater_one_not_at_all() {
        look(heap(30, 3), 8, 8, true, 100);
        assertEquals(12, state.admitted());

        look(heap(46, 6), 12, 20, true, 200);
        assertEquals(12, state.admitted());
    }

    @Test
    void the_worst_collection_since_the_last_change_counts() {
        look(heap(60, 1), 8, 4, true, 100);
        look(heap(10, 3), 8, 8, true, 200);
        assertEquals(8, state.admitted(), "60 % were live while these jobs ran");

        look(heap(10, 6), 8, 16, true, 300);
        assertEquals(21, state.admitted(), "and not while those after them ran");
    }

    @Test
    void few_collections_may_have_missed_when_most_was_live() {
        look(heap(10, 1), 8, 4, true, 100);
        look(new Heap(100, 80, 10, 10, 1, 1), 8, 8, true, 200);
        assertEquals(8, state.admitted(), "80 % are used, and nobody knows what of it is live");

        look(heap(10, 3), 8, 9, true, 300);
        assertEquals(21, state.admitted());
    }

    @Test
    void without_a_collection_all_that_was_used_could_have_been_live() {
        look(new Heap(100, 50, 0, 0, 0, 0), 8, 4, true, 100);
        look(new Heap(100, 20, 0, 0, 0, 0), 8, 8, true, 200);
        assertEquals(8, state.admitted());

        state = begin(8, 200, 8, 0);
        look(new Heap(100, 20, 0, 0, 0, 0), 8, 16, true, 300);
        assertEquals(16, state.admitted());
    }

    @Test
    void what_may_be_garbage_is_no_reason_to_lower_and_none_to_raise() {
        for (int i = 1; i <= 20; i++) {
            // only the young part was collected; the old one is full of what nobody has looked at
            look(new Heap(100, 90, 5, 90, i, 0), 8, 8 * i, true, 100 * i);
        }
        assertEquals(8, state.admitted());
    }

    @Test
    void jobs_that_run_for_long_need_not_end_before_more_are_admitted() {
        look(heap(10, 1), 8, 0, true, 9_999);
        assertEquals(8, state.admitted());
        look(heap(10, 1), 8, 0, true, 10_000);
        assertEquals(21, state.admitted());
    }

    @Test
    void no_more_are_admitted_than_are_wanted_or_than_there_may_ever_be() {
        look(heap(10, 1), 3, 8, false, 100);
        assertEquals(8, state.admitted());

        state = begin(900, 100, 8, 1);
        look(heap(10, 4), 900, 10_000, true, 200);
        assertEquals(TOTAL, state.admitted());
    }

    @Test
    void too_much_that_is_live_lowers_at_once_and_in_proportion() {
        state = begin(100, 0, 0, 0);

        String why = look(heap(80, 1), 100, 1, true, 100);

        assertEquals(68, state.admitted());
        assertEquals(
                "lowered from 100 to 68: 80 % of the heap is live after a collection, more than 70 %",
                String.valueOf(why));
    }

    @Test
    void the_same_collection_lowers_once_and_the_next_one_not_before_the_last_lowering_shows() {
        state = begin(100, 0, 0, 0);
        look(heap(80, 1), 100, 1, true, 100);
        look(heap(80, 1), 68, 33, true, 200);
        assertEquals(68, state.admitted(), "nothing new was seen");

        look(heap(80, 2), 90, 33, true, 300);
        assertEquals(68, state.admitted(), "more run than may: it has not shown yet");
        look(heap(80, 3), 68, 60, true, 400);
        assertEquals(46, state.admitted());
    }

    @Test
    void a_heap_that_is_about_to_burst_admits_one_without_waiting_for_anything_to_show() {
        state = begin(100, 0, 0, 0);
        look(heap(80, 1), 100, 1, true, 100);
        look(heap(90, 2), 100, 1, true, 200);
        assertEquals(1, state.admitted());

        look(heap(99, 3), 1, 100, true, 300);
        assertEquals(1, state.admitted(), "never below one");
    }

    @Test
    void a_job_for_which_memory_ran_out_leaves_a_quarter() {
        state = begin(100, 0, 0, 0);
        ranOut = 3;
        assertEquals(
                "lowered from 100 to 25: a job ended with an OutOfMemoryError",
                String.valueOf(look(heap(10, 1), 100, 1, true, 100)));
        look(heap(10, 2), 25, 2, true, 200);
        assertEquals(25, state.admitted(), "once for those that were seen together");
    }

    @Test
    void what_was_admitted_and_is_not_used_is_forgotten_down_to_the_first() {
        state = begin(500, 0, 0, 0);
        int looks = 0;
        for (; looks < 1_000 && state.admitted() > 8; looks++) {
            assertNull(look(heap(10, 1), 2, looks, false, 100 * looks), "without a word");
        }
        assertEquals(8, state.admitted());
        assertTrue(looks < 400, "in half a minute, and not after " + looks + " looks");
    }

    private static State begin(int admitted, long millis, long ended, long collections) {
        Heap empty = new Heap(100, 0, 0, 0, collections, collections);
        return State.first(admitted, new Look(empty, 0, ended, 0, false, millis));
    }

    private String look(Heap heap, int running, long ended, boolean wanted, long millis) {
        Decision decision =
                HeapStep.after(state, new Look(heap, running, ended, ranOut, wanted, millis), LIMITS, TOTAL);
        state = decision.state();
        return decision.why();
    }

    /** A heap of 100 that is collected whole. */
    private static Heap heap(long live, long collections) {
        return new Heap(100, 90, live, live, collections, collections);
    }
}
