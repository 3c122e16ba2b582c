package dev.treadle.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.invoke.StopActions;
import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorNote;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a run that lost its lease is said to have ended. */
class StopReaderTest {
    private static final NodeId SELF = new NodeId(1);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InMemoryStorageProvider storage = new InMemoryStorageProvider(() -> now);
    private final StopActions actions = new StopActions(Runnable::run);
    private final InFlight inFlight = new InFlight(new Deadlines(() -> now, actions, () -> {}));
    private final StopReader reader = new StopReader(storage.runs(), SELF, inFlight, actions, () -> now);
    private Lease lease;

    @BeforeEach
    void a_job_is_cancelled_while_it_runs_here() {
        storage.heartbeat(new NodeInfo(SELF, "self", "pool", 1));
        JobId id = JobId.of(new UUID(0, 1));
        storage.insert(List.of(new NewJob(id, new Invocation("x.Y", null, "{}"), Due.NOW, JobTraits.DEFAULT)));
        lease = storage.claim(SELF, 1).get(0);
        storage.cancel(id, new OperatorNote("test", null));
        assertEquals(1, storage.runs().stillRunning().size());
    }

    @Test
    void one_that_ended_before_it_was_told_is_over_at_the_next_look() {
        reader.endedWithoutLease(RunId.of(lease));

        reader.turn();

        assertEquals(List.of(), storage.runs().stillRunning());
    }

    @Test
    void one_that_was_told_is_over_when_it_has_ended() {
        inFlight.arrived(Tasks.of(lease));
        reader.turn();
        assertEquals(1, storage.runs().stillRunning().size());
        inFlight.recorded(lease);

        reader.turn();

        assertEquals(List.of(), storage.runs().stillRunning());
    }

    @Test
    void one_of_which_nothing_is_known_may_still_be_under_way_for_a_while() {
        reader.lookAgain();
        reader.turn();
        assertEquals(1, storage.runs().stillRunning().size());
        now = now.plusSeconds(StopReader.UNKNOWN_SECONDS_MAX);

        reader.turn();

        assertEquals(List.of(), storage.runs().stillRunning());
    }
}
