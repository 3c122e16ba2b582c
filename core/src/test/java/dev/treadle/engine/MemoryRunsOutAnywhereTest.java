package dev.treadle.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobTraits;
import dev.treadle.storage.NewJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Memory runs out once, at each place in turn at which a node asks its surroundings for something: for the time, a random
 * number, a thread, the storage. Whatever the place, nothing stays behind that would be there for as long as the node is.
 */
class MemoryRunsOutAnywhereTest {
    private static final int JOBS = 12;
    private static final int WORKERS = 2;

    private int asked;
    private int failAt;
    private boolean failed;

    /** One place at which memory may run out. */
    private void place() {
        if (++asked == failAt) {
            failed = true;
            throw new OutOfMemoryError("there is none for a moment");
        }
    }

    @Test
    void wherever_it_runs_out_no_lease_no_permit_and_no_place_stays_behind() {
        int places = 0;
        do {
            asked = 0;
            failed = false;
            failAt = ++places;
            scenario();
        } while (failed);
        assertTrue(places > 200, "only " + places + " places were found: this test has lost its way");
    }

    private void scenario() {
        HandDriven here = new HandDriven(WORKERS, new Random(1) {
            private static final long serialVersionUID = 1L;

            @Override
            public double nextDouble() {
                place();
                return super.nextDouble();
            }
        });
        here.clock = () -> {
            place();
            return here.now;
        };
        here.executor = task -> {
            place();
            here.lent.add(task);
            place();
        };
        here.script = (call, arguments, made) -> {
            place();
            Object answer = made.make();
            place();
            return answer;
        };
        List<NewJob> jobs = new ArrayList<>();
        attempt(here.node::beat);
        attempt(here.node::dispatch);
        for (int i = 0; i < JOBS; i++) {
            // some are born here, some are put in by others and claimed
            NewJob job = here.job(JobTraits.DEFAULT);
            jobs.add(job);
            attempt(() -> here.node.insert(List.of(job)));
            if (i % 3 == 2) {
                goOn(here);
            }
        }
        failAt = 0;
        here.node.beat();
        for (int rounds = 0; rounds < 20; rounds++) {
            here.now = here.now.plusMillis(1_000);
            goOn(here);
            here.node.beat();
            here.node.promote();
        }

        String where = "when it ran out at place " + asked;
        assertEquals(0, here.lent.size(), where);
        assertEquals(List.of(), here.real.leasesOf(here.node.self().id()), where);
        assertEquals(0, here.node.inFlight().size(), where);
        assertEquals(0, here.node.running(), where);
        assertEquals(0, here.node.unwritten(), where);
        here.node.localQueues().queueStats().forEach(queue -> assertEquals(0, queue.held(), where));
        assertEquals(WORKERS, permitsThatCanBeTaken(here), where);
    }

    private void goOn(HandDriven here) {
        for (int turns = 0; turns < 5; turns++) {
            attempt(here.node::dispatch);
            while (!here.lent.isEmpty()) {
                attempt(here.lent.remove());
            }
            attempt(here.node::record);
        }
    }

    private static void attempt(Runnable step) {
        try {
            step.run();
        } catch (OutOfMemoryError e) {
            // the loop, the job's thread or the caller is told
        }
    }

    private static int permitsThatCanBeTaken(HandDriven here) {
        List<Runnable> before = List.copyOf(here.lent);
        here.real.insert(List.of(
                here.job(JobTraits.DEFAULT),
                here.job(JobTraits.DEFAULT),
                here.job(JobTraits.DEFAULT),
                here.job(JobTraits.DEFAULT)));
        here.node.jobsBecameDue();
        here.dispatch();
        return here.lent.size() - before.size();
    }
}
