package dev.treadle.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Endings that cannot be written: they hold up nothing but themselves, and do not gather without bound. */
class UnwrittenTest {
    private static final int WORKERS = 4;

    private final HandDriven here = new HandDriven(WORKERS);

    @Test
    void endings_of_jobs_with_a_key_that_cannot_be_written_hold_up_no_others_and_are_never_in_one_write_with_them() {
        List<List<Transition>> writes = new ArrayList<>();
        boolean[] keyIsLocked = {true};
        here.script = (call, arguments, made) -> {
            if (call.equals("record")) {
                writes.add(endingsIn(arguments));
                if (keyIsLocked[0] && hasKey(endingsIn(arguments).get(0))) {
                    throw new StorageException("the row of the key is locked", null, true);
                }
            }
            return made.make();
        };
        NewJob keyed = here.job(JobTraits.DEFAULT.withKey(KeyRule.mailbox("k")));
        NewJob plain = here.job(JobTraits.DEFAULT);
        here.real.insert(List.of(keyed, plain));
        here.node.beat();
        here.dispatch();
        here.lent.remove().run();
        here.lent.remove().run();

        assertThrows(StorageException.class, here.node::recordKeyed);
        here.node.record();
        assertEquals(List.of(StateName.PROCESSING, StateName.SUCCEEDED), states(keyed, plain));
        keyIsLocked[0] = false;
        here.node.recordKeyed();

        assertEquals(List.of(StateName.SUCCEEDED, StateName.SUCCEEDED), states(keyed, plain));
        writes.forEach(write -> assertEquals(
                1, write.stream().map(UnwrittenTest::hasKey).distinct().count(), "with and without a key"));
        assertEquals(0, here.node.unwritten());
    }

    @Test
    void while_nothing_can_be_written_no_more_jobs_are_born_here_than_a_claim_could_have_brought() {
        here.started();
        boolean[] away = {true};
        here.script = (call, arguments, made) -> {
            if (call.equals("record") && away[0]) {
                throw new StorageException("it cannot write", null, true);
            }
            return made.make();
        };
        int jobs = 3_000;
        for (int i = 0; i < jobs; i++) {
            here.enqueue();
            if (!here.lent.isEmpty()) {
                here.lent.remove().run();
                assertThrows(StorageException.class, here.node::record);
            }
        }
        int held = here.node.inFlight().size();
        assertTrue(held <= WORKERS + 1_000, "in flight: " + held);
        assertEquals(jobs - held, here.real.search().counts().get(StateName.ENQUEUED), "the others are kept");

        away[0] = false;
        here.dispatch();
        while (here.real.search().counts().getOrDefault(StateName.SUCCEEDED, 0L) < jobs) {
            here.node.record();
            here.dispatch();
            while (!here.lent.isEmpty()) {
                here.lent.remove().run();
            }
        }
    }

    private List<StateName> states(NewJob... jobs) {
        return List.of(jobs).stream().map(here::stateOf).toList();
    }

    private static boolean hasKey(Transition ending) {
        return ending.lease().job().traits().key() != null;
    }

    @SuppressWarnings("unchecked")
    private static List<Transition> endingsIn(Object[] arguments) {
        return (List<Transition>) arguments[0];
    }
}
