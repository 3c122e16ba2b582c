package dev.treadle.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.treadle.job.StateName;
import dev.treadle.storage.NewJob;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** A node finds what got lost on it, and leaves nothing behind when it stops. */
class LostAndFoundTest {
    private boolean randomFails;

    private final HandDriven here = new HandDriven(1, new Random(1) {
                private static final long serialVersionUID = 1L;

                @Override
                public double nextDouble() {
                    if (randomFails) {
                        throw new InternalError("nobody expects this one");
                    }
                    return super.nextDouble();
                }
            })
            .started();

    @Test
    void a_job_that_its_executor_has_lost_runs_all_the_same_on_a_living_node() {
        here.executor = lost -> {};
        NewJob job = here.enqueue();
        here.executor = here.lent::add;

        for (int looks = 0; looks < 5; looks++) {
            goOn();
        }

        assertEquals(1, here.lent.size());
        here.endOne();
        assertEquals(StateName.SUCCEEDED, here.stateOf(job));
        assertEquals(0, here.node.inFlight().size());
        assertEquals(0, here.node.running());
    }

    @Test
    void a_job_whose_thread_went_away_has_an_ending_before_its_node_stops() {
        NewJob job = here.enqueue();
        randomFails = true;
        assertThrows(InternalError.class, here.lent.remove()::run);
        here.node.record();
        assertEquals(StateName.PROCESSING, here.stateOf(job));
        randomFails = false;

        here.node.stopDispatching();

        here.node.record();
        assertEquals(StateName.SUCCEEDED, here.stateOf(job));
        assertEquals(0, here.node.inFlight().size());
    }

    @Test
    void a_job_that_has_run_although_its_executor_threw_has_one_ending() {
        here.executor = task -> {
            task.run();
            throw new RejectedExecutionException("after all");
        };

        NewJob job = here.enqueue();

        assertEquals(1, here.node.unwritten());
        here.node.record();
        assertEquals(StateName.SUCCEEDED, here.stateOf(job));
        assertEquals(0, here.node.running());
    }

    /** A sixth of {@code deadAfter}. */
    private void goOn() {
        here.now = here.now.plusMillis(2_500);
        here.node.beat();
        here.dispatch();
    }
}
