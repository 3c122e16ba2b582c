package dev.treadle.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobTraits;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A permit that comes free wakes the dispatcher if a due job may wait, and only then. Nothing here waits for time. */
class WakeUpTest {
    private final HandDriven here = new HandDriven(1);
    private int claims;

    @BeforeEach
    void startAndFindNothing() {
        here.script = (call, arguments, made) -> {
            claims += call.equals("claim") ? 1 : 0;
            return made.make();
        };
        here.started();
        assertEquals(1, claims);
    }

    @Test
    void a_job_that_waits_behind_one_that_was_born_here_is_claimed_as_soon_as_that_one_is_written() {
        here.enqueue();
        here.enqueue();
        assertEquals(1, here.lent.size(), "the second finds no permit");
        here.dispatch();

        here.endOne();
        assertTrue(here.nudges > 0, "nothing wakes the dispatcher: the job waits for the end of its rest");
        here.dispatch();

        assertEquals(1, here.lent.size());
        assertEquals(List.of(), here.real.claim(HandDriven.OTHER, 10));
    }

    @Test
    void with_several_lanes_what_was_heard_of_while_no_permit_was_free_is_looked_for_as_soon_as_one_is() {
        here.real.insert(List.of(here.job(JobTraits.DEFAULT.withQueue("other"))));
        here.node.watch();
        here.dispatch();
        here.endOne();
        // one that claims nothing, one that asks where something waits and is told nowhere
        here.dispatch();
        here.dispatch();
        int before = claims;
        here.enqueue();
        assertEquals(List.of(1, before), List.of(here.lent.size(), claims), "it was not born here");
        // from another process, which does not say where
        here.real.insert(List.of(here.job(JobTraits.DEFAULT)));
        here.node.jobsBecameDue();
        here.dispatch();

        here.endOne();
        assertTrue(here.nudges > 0, "nothing wakes the dispatcher: the job waits for the end of its rest");
        here.dispatch();

        assertEquals(1, here.lent.size());
    }

    @Test
    void a_turn_that_finds_no_room_for_the_first_time_looks_once_more_since_room_may_have_come_unheard() {
        here.enqueue();
        here.enqueue();

        assertEquals(Duration.ZERO, here.node.dispatch());
        assertTrue(here.node.dispatch().compareTo(Duration.ZERO) > 0);
        assertEquals(1, claims, "neither of them had room to claim for");
    }

    @Test
    void a_steady_state_in_which_all_jobs_are_born_here_costs_no_claim() {
        int before = claims;
        for (int i = 0; i < 100; i++) {
            here.enqueue();
            here.dispatch();
            here.endOne();
            assertEquals(0, here.nudges);
        }

        assertEquals(before, claims);
    }

    @Test
    void each_job_that_had_to_wait_costs_its_claim_and_the_last_of_them_one_that_finds_nothing() {
        int waiting = 10;
        for (int i = 0; i <= waiting; i++) {
            here.enqueue();
        }
        int before = claims;
        for (int i = 0; i <= waiting; i++) {
            here.dispatch();
            here.endOne();
        }
        here.dispatch();

        assertEquals(waiting + 1, claims - before);
    }
}
