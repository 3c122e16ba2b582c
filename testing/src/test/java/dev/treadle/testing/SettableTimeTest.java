package dev.treadle.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.treadle.contracts.storage.Jobs;
import dev.treadle.job.JobState;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageProvider.Promotion;
import dev.treadle.storage.admin.Minutes;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettableTimeTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final NodeId NODE = new NodeId(1);

    private final SettableTime time = new SettableTime(START);
    private final InMemoryStorageProvider storage = new InMemoryStorageProvider(time);

    @Test
    void a_job_for_next_week_is_due_when_the_test_says_that_a_week_has_passed() {
        NewJob job = new Jobs().aJobDueIn(Duration.ofDays(7));
        storage.insert(List.of(job));

        time.forward(Duration.ofDays(7).minusNanos(1));
        assertEquals(new Promotion(0, Duration.ofNanos(1)), storage.promote(1));
        time.forward(Duration.ofNanos(1));
        assertEquals(new Promotion(1, null), storage.promote(1));

        Lease lease = storage.claim(NODE, 1).get(0);
        assertEquals(
                new JobState.Processing(START.plus(Duration.ofDays(7)), NODE),
                lease.job().state());
    }

    @Test
    void nodes_that_have_gone_are_forgotten_when_the_test_says_that_their_time_is_over() {
        storage.heartbeat(new NodeInfo(NODE, "here", "threads", 1));
        storage.leave(NODE);

        time.forward(Minutes.KEPT);
        storage.tidy();
        assertEquals(1, storage.search().nodes(Duration.ofDays(1_000)).size());

        time.forward(Duration.ofNanos(1));
        storage.tidy();
        assertEquals(0, storage.search().nodes(Duration.ofDays(1_000)).size());
    }

    @Test
    void time_goes_back_only_when_it_is_set() {
        assertThrows(IllegalArgumentException.class, () -> time.forward(Duration.ofNanos(-1)));

        time.set(START.minusSeconds(1));

        assertEquals(START.minusSeconds(1), time.instant());
    }
}
