package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.JoinRule;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** What every storage must do when things happen at gates at the same time. Extend it, and it runs. */
public abstract class GateRaceContract extends GateWords {
    private static final int RACES = 20;

    /** For subclasses. */
    protected GateRaceContract() {}

    @Test
    final void a_suspension_and_the_end_of_the_last_child_never_miss_each_other() {
        for (int race = 0; race < RACES; race++) {
            Lease parent = claimed();
            spawn(parent, "child", 1);
            Lease child = take(OTHER, child(parent, "child", 0));
            gates().await(RunId.of(parent), "child", JoinRule.ALL_SUCCEED);

            Together.all(List.of(
                    () -> storage.record(List.of(Endings.suspended(parent))),
                    () -> storage.record(List.of(Endings.completed(child))),
                    () -> gates().open(FULL).resumed()));

            open();
            assertEquals(StateName.ENQUEUED, state(parent), "race " + race);
            assertWritten(Endings.completed(claim(NODE, parent.job().id())));
        }
    }

    @Test
    final void a_cancelled_parent_and_a_spawn_leave_no_child() {
        for (int race = 0; race < RACES; race++) {
            Lease parent = claimed();

            Together.all(List.<Callable<Object>>of(
                    () -> gates().spawn(RunId.of(parent), "child", 0, children(parent, "child", 0, 3), true),
                    () -> storage.cancel(parent.job().id(), ANNA)));

            open();
            assertEquals(0, storage.search().counts().get(StateName.ENQUEUED), "race " + race);
        }
    }
}
