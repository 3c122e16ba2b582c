package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.QueueState;
import dev.treadle.job.QueueState.Pause;
import dev.treadle.storage.PendingWork.LaneState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every storage must do when queues are paused and looked at. Extend it, hand over an empty storage, and it runs. */
public abstract class PauseContract extends StorageContract {
    private static final Instant LONG_AGO = Instant.parse("2001-01-01T00:00:00Z");
    private static final OperatorNote ANN = new OperatorNote("ann", "the mail server is down");
    private static final Lane MAIL = new Lane("mail", Set.of());

    /** For subclasses. */
    protected PauseContract() {}

    @Test
    final void a_paused_queue_is_said_to_be_so_and_is_not_among_the_heads_until_it_is_resumed() {
        JobId id = mail();
        keep(jobs.withTraits(JobTraits.DEFAULT.withQueue("mail").withTags("eu")));
        enqueued();

        storage.queues().pause("mail", ANN, null);

        for (LaneState state : storage.queues().lanes()) {
            assertEquals(state.lane().queue().equals("mail"), state.paused(), state::toString);
        }
        assertEquals(List.of(Lane.DEFAULT), heads());

        assertTrue(storage.queues().resume("mail", ANN));
        assertFalse(storage.queues().resume("mail", ANN), "it was resumed before");

        assertTrue(storage.queues().lanes().stream().noneMatch(LaneState::paused));
        assertEquals(3, heads().size());
        assertEquals(List.of(id), idsOf(storage.claim(NODE, MAIL, FULL)));
    }

    @Test
    final void pausing_holds_up_nodes_and_nothing_here_so_what_runs_can_end_and_enqueuing_goes_on() {
        mail();
        var held = storage.claim(NODE, MAIL, 1).get(0);

        storage.queues().pause("mail", ANN, null);
        JobId next = mail();

        assertWritten(Endings.completed(held));
        assertEquals(List.of(next), idsOf(storage.claim(NODE, MAIL, FULL)));
    }

    @Test
    final void a_pause_tells_who_why_since_when_and_until_when() {
        storage.queues().pause("mail", ANN, new Due.After(Jobs.LONG));

        Pause pause = there(pauseOf("mail"));
        assertEquals("ann", pause.by());
        assertEquals("the mail server is down", pause.why());
        assertEquals(pause.since().plus(Jobs.LONG), pause.until());

        storage.queues()
                .pause("mail", new OperatorNote("bob", null), new Due.At(LONG_AGO.plus(Duration.ofDays(36_500))));

        Pause other = there(pauseOf("mail"));
        assertEquals("bob", other.by());
        assertNull(other.why());
        assertEquals(LONG_AGO.plus(Duration.ofDays(36_500)), other.until());

        storage.queues().pause("mail", ANN, null);
        assertNull(there(pauseOf("mail")).until());
    }

    @Test
    final void a_pause_ends_by_itself_by_the_clock_of_the_storage() {
        mail();
        storage.queues().pause("mail", ANN, new Due.At(LONG_AGO));
        assertEquals(List.of(MAIL), heads(), "it was over when it was asked for");
        assertNull(pauseOf("mail"));
        assertFalse(storage.queues().resume("mail", ANN));

        storage.queues().pause("mail", ANN, new Due.After(Jobs.LONG));
        assertEquals(List.of(), heads());

        storage.queues().pause("mail", ANN, new Due.After(Duration.ofMillis(100)));

        Patience.untilTrue("the pause is over", () -> heads().equals(List.of(MAIL)));
        assertTrue(storage.queues().lanes().stream().noneMatch(LaneState::paused));
        assertNull(pauseOf("mail"));
    }

    @Test
    final void a_queue_may_be_paused_before_it_has_a_job_and_while_several_do_so() {
        Together.times(8, () -> {
            storage.queues().pause("mail", ANN, null);
            return true;
        });
        assertTrue(storage.queues().lanes().contains(new LaneState(MAIL, true)), "nodes know before the first job");
        mail();

        assertEquals(List.of(), heads());
        assertEquals(List.of("default", "mail"), names());
        assertEquals(
                1,
                Together.times(8, () -> storage.queues().resume("mail", ANN)).stream()
                        .filter(was -> was)
                        .count());
    }

    @Test
    final void the_states_tell_of_each_queue_how_much_waits_and_for_how_long() {
        keep(jobs.aJobDueIn(Jobs.LONG));
        for (int priority : List.of(4, -4, 0)) {
            var job = jobs.withPriority(priority, new Due.At(LONG_AGO.plusSeconds(priority * priority)));
            keep(new dev.treadle.storage.NewJob(
                    job.id(), job.invocation(), job.due(), job.traits().withQueue("mail")));
        }
        mail();
        keep(jobs.withTraits(JobTraits.DEFAULT.withQueue("mail").withTags("eu")));
        storage.queues().pause("archive", ANN, null);

        assertEquals(List.of("archive", "default", "mail"), names());
        assertEquals(0, state("archive").waiting());
        assertNull(state("archive").oldestWaits());
        assertEquals(0, state("default").waiting(), "what is not due yet does not wait");
        assertEquals(5, state("mail").waiting());
        Duration oldest = there(state("mail").oldestWaits());
        assertTrue(oldest.compareTo(Duration.ofDays(365)) > 0, oldest::toString);

        assertEquals(2, storage.claim(NODE, MAIL, 2).size());
        assertEquals(3, state("mail").waiting());
        Duration least = there(state("mail").oldestWaits());
        assertTrue(least.compareTo(Duration.ofDays(365)) > 0, "the oldest is of the least priority");
        assertEquals(2, storage.claim(NODE, MAIL, 2).size());
        Duration left = there(state("mail").oldestWaits());
        assertTrue(left.compareTo(Duration.ofDays(365)) < 0, left::toString);
    }

    private JobId mail() {
        return keep(jobs.withTraits(JobTraits.DEFAULT.withQueue("mail")));
    }

    private List<Lane> heads() {
        return storage.heads().stream().map(head -> head.lane()).toList();
    }

    private List<String> names() {
        return storage.queues().states().stream().map(QueueState::queue).toList();
    }

    private QueueState state(String queue) {
        return storage.queues().states().stream()
                .filter(state -> state.queue().equals(queue))
                .findFirst()
                .orElseThrow();
    }

    private @Nullable Pause pauseOf(String queue) {
        return state(queue).pause();
    }

    private static <T> T there(@Nullable T value) {
        assertNotNull(value);
        return value;
    }
}
