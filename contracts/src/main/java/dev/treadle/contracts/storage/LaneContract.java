package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import dev.treadle.job.OperatorNote;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.PendingWork.Head;
import dev.treadle.storage.PendingWork.LaneState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every storage must do with jobs of several queues and tags. Extend it, hand over an empty storage, and it runs. */
public abstract class LaneContract extends StorageContract {
    private static final Instant LONG_AGO = Instant.parse("2001-01-01T00:00:00Z");
    /** How many different amounts of one resource are kept: see {@link JobTraits#withAmountsRoundedUp}. */
    private static final int AMOUNTS_MAX = 120;

    private static final Lane MAIL = new Lane("mail", Set.of());
    private static final Lane GPU = new Lane("default", Set.of("gpu"));

    /** For subclasses. */
    protected LaneContract() {}

    @Test
    final void a_lane_is_known_from_its_first_job_on_and_the_usual_one_always() {
        assertEquals(Set.of(Lane.DEFAULT), lanes());

        keep(in(MAIL, 0, Due.NOW));
        keep(in(GPU, 0, new Due.After(Jobs.LONG)));
        JobId id = keep(in(new Lane("mail", Set.of("b", "a")), 0, Due.NOW));
        storage.cancel(id, new OperatorNote("a test", null));

        assertEquals(Set.of(Lane.DEFAULT, MAIL, GPU, new Lane("mail", Set.of("a", "b"))), lanes());
    }

    @Test
    final void a_claim_takes_from_its_lane_and_from_no_other() {
        JobId usual = enqueued();
        JobId mail = keep(in(MAIL, 0, Due.NOW));
        JobId gpu = keep(in(GPU, 0, Due.NOW));

        assertEquals(List.of(), storage.claim(NODE, new Lane("mail", Set.of("gpu")), FULL));
        assertEquals(List.of(mail), idsOf(storage.claim(NODE, MAIL, FULL)));
        assertEquals(List.of(), storage.claim(NODE, MAIL, FULL));
        assertEquals(List.of(gpu), idsOf(storage.claim(OTHER, GPU, FULL)));
        assertEquals(List.of(usual), idsOf(storage.claim(NODE, Lane.DEFAULT, FULL)));
        assertEquals(List.of(gpu), idsOf(storage.leasesOf(OTHER)));
    }

    @Test
    final void each_lane_has_its_own_order_by_priority_and_time() {
        JobId later = keep(in(MAIL, 0, new Due.At(LONG_AGO.plusSeconds(2))));
        JobId first = keep(in(MAIL, -7, Due.NOW));
        keep(in(GPU, -8, new Due.At(LONG_AGO)));
        JobId earlier = keep(in(MAIL, 0, new Due.At(LONG_AGO.plusSeconds(1))));

        assertEquals(List.of(first, earlier), idsOf(storage.claim(NODE, MAIL, 2)));
        assertEquals(List.of(later), idsOf(storage.claim(NODE, MAIL, 2)));
    }

    @Test
    final void jobs_of_several_lanes_can_be_kept_by_one_call_those_that_are_there_left_alone() {
        List<NewJob> all = Stream.of(Lane.DEFAULT, MAIL, GPU)
                .flatMap(lane -> Stream.of(in(lane, 0, Due.NOW), in(lane, 0, new Due.After(Jobs.LONG))))
                .toList();

        assertEquals(Set.of(), storage.insert(all));

        assertEquals(new HashSet<>(all.stream().map(NewJob::id).toList()), storage.insert(all));
        for (Lane lane : List.of(Lane.DEFAULT, MAIL, GPU)) {
            List<Lease> taken = storage.claim(NODE, lane, FULL);
            assertEquals(1, taken.size(), lane::toString);
            assertEquals(lane, taken.get(0).job().traits().lane());
        }
    }

    @Test
    final void the_heads_are_the_next_jobs_of_lanes_that_have_one_now() {
        assertEquals(List.of(), storage.heads());

        keep(in(MAIL, 3, new Due.At(LONG_AGO.plusSeconds(1))));
        keep(in(MAIL, 3, new Due.At(LONG_AGO)));
        keep(in(MAIL, 4, new Due.At(LONG_AGO.minusSeconds(1))));
        keep(in(GPU, 0, new Due.After(Jobs.LONG)));

        assertEquals(List.of(new Head(MAIL, 3, LONG_AGO)), storage.heads());

        storage.claim(NODE, MAIL, 2);
        keep(in(GPU, -2, new Due.At(LONG_AGO)));

        assertEquals(
                Set.of(new Head(MAIL, 4, LONG_AGO.minusSeconds(1)), new Head(GPU, -2, LONG_AGO)),
                Set.copyOf(storage.heads()));

        storage.claim(NODE, MAIL, 1);
        storage.claim(NODE, GPU, 1);
        assertEquals(List.of(), storage.heads());
    }

    @Test
    final void whatever_happens_to_a_job_it_comes_back_into_its_lane() {
        beat(NODE);
        JobId id = keep(in(GPU, 2, new Due.After(Duration.ofMillis(1))));

        assertWritten(Endings.threw(next(id), Duration.ofMillis(1)));
        assertWritten(Endings.rescued(next(id), Duration.ofMillis(1)));
        assertWritten(Endings.givenBack(next(id)));
        assertWritten(Endings.stopped(next(id)));
        assertWritten(Endings.parked(next(id)));
        assertEquals(Set.of(), storage.parkedTargets(NODE, Set.of(Lane.DEFAULT, MAIL)));
        assertEquals(0, storage.unpark(NODE, Jobs.TARGET, Set.of(Lane.DEFAULT, MAIL), FULL));
        assertEquals(Set.of(Jobs.TARGET), storage.parkedTargets(NODE, Set.of(Lane.DEFAULT, GPU)));
        assertEquals(1, storage.unpark(NODE, Jobs.TARGET, Set.of(Lane.DEFAULT, GPU), FULL));
        assertWritten(Endings.parked(next(id)));
        storage.runAgain(id, new OperatorNote("a test", null));
        assertWritten(Endings.failed(next(id)));
        storage.runAgain(id, new OperatorNote("a test", null));
        assertWritten(Endings.completed(next(id)));
        assertEquals(Set.of(Lane.DEFAULT, GPU), lanes());
    }

    /** The only job there is, taken from the lane of {@link #GPU} after it has been seen in no other. */
    private Lease next(JobId id) {
        Lease lease = Patience.until("the job comes back into its lane", () -> {
            storage.promote(FULL);
            assertEquals(List.of(), storage.claim(OTHER, Lane.DEFAULT, FULL));
            return storage.claim(NODE, GPU, FULL).stream().findFirst();
        });
        assertEquals(id, lease.job().id());
        assertEquals(GPU, lease.job().traits().lane());
        assertEquals(2, lease.job().priority());
        return lease;
    }

    @Test
    final void jobs_that_use_something_wait_in_a_lane_of_their_own() {
        JobId usual = enqueued();
        Lane one = new Lane("default", Set.of(), Map.of("pdf", 1, "db", 1));
        Lane more = new Lane("default", Set.of(), Map.of("pdf", 2, "db", 1));
        JobId first = keep(in(one, 0, Due.NOW));
        JobId second = keep(in(more, 0, Due.NOW));

        assertEquals(Set.of(Lane.DEFAULT, one, more), lanes());
        assertEquals(List.of(usual), idsOf(storage.claim(NODE, Lane.DEFAULT, FULL)));
        assertEquals(List.of(second), idsOf(storage.claim(NODE, more, FULL)));
        Lease lease = storage.claim(NODE, one, FULL).get(0);
        assertEquals(first, lease.job().id());
        assertEquals(one.uses(), lease.job().traits().uses());
        assertEquals(
                one, storage.queries().find(first).orElseThrow().job().traits().lane());
    }

    @Test
    final void jobs_with_amounts_of_their_own_share_lanes_and_keep_at_least_what_they_ask_for() {
        Map<JobId, Integer> asked = new HashMap<>();
        List<NewJob> all = new ArrayList<>();
        for (int n = 1; n <= FULL; n++) {
            int amount = n % 2 == 0 ? n : JobTraits.AMOUNT_MAX / FULL * n;
            NewJob job = in(new Lane("sized", Set.of(), Map.of("rows", amount)), 0, Due.NOW);
            all.add(job);
            asked.put(job.id(), amount);
        }
        storage.insert(all);

        Set<Lane> lanes = lanes();
        assertTrue(lanes.size() <= 1 + AMOUNTS_MAX, () -> lanes.size() + " lanes");
        for (Lane lane : lanes) {
            for (Lease lease : storage.claim(NODE, lane, FULL)) {
                assertEquals(lane.uses(), lease.job().traits().uses(), "what a node takes and what it gives back");
                int least = Objects.requireNonNull(asked.remove(lease.job().id()));
                assertTrue(lane.uses().get("rows") >= least, () -> lane + " for " + least);
            }
        }
        assertEquals(Map.of(), asked, "all were claimed");
    }

    @Test
    final void names_of_queues_and_tags_may_be_any_text() {
        Lane awkward = new Lane(
                "a 'queue', \"ö\" \\ 😀", Set.of("[\"x\"]", "a,b", "ß"), Map.of("{\"y\"}", 1, "c:d", 1_000_000));
        JobId id = keep(in(awkward, 0, Due.NOW));

        assertTrue(lanes().contains(awkward));
        assertEquals(awkward, storage.heads().get(0).lane());
        assertEquals(List.of(id), idsOf(storage.claim(NODE, awkward, FULL)));
    }

    @Test
    final void lanes_that_are_new_to_several_callers_at_once_are_made_once() {
        AtomicInteger callers = new AtomicInteger();

        Together.times(8, () -> {
            int caller = callers.incrementAndGet();
            return storage.insert(List.of(
                    in(new Lane("shared", Set.of()), 0, Due.NOW),
                    in(new Lane("queue " + caller, Set.of()), 0, Due.NOW),
                    in(new Lane("queue " + caller, Set.of("tag")), 0, Due.NOW)));
        });

        assertEquals(18, lanes().size());
        assertEquals(18, storage.queues().lanes().size());
        assertEquals(8, storage.claim(NODE, new Lane("shared", Set.of()), FULL).size());
        for (int caller = 1; caller <= 8; caller++) {
            assertEquals(
                    1,
                    storage.claim(NODE, new Lane("queue " + caller, Set.of("tag")), FULL)
                            .size());
        }
    }

    @Test
    final void a_job_committed_late_is_not_starved_in_its_lane_nor_missing_among_the_heads() {
        for (int i = 0; i < 100; i++) {
            keep(in(MAIL, 0, Due.NOW));
        }
        assertNotEquals(List.of(), storage.claim(NODE, MAIL, 10));
        JobId late = keep(in(MAIL, 0, new Due.At(LONG_AGO)));

        Patience.untilTrue(
                "the late job is the next of its lane",
                () -> storage.heads().get(0).dueSince().equals(LONG_AGO));
        Patience.untilTrue("the late job is claimed", () -> {
            keep(in(MAIL, 0, Due.NOW));
            return idsOf(storage.claim(NODE, MAIL, 1)).contains(late);
        });
    }

    private NewJob in(Lane lane, int priority, Due due) {
        NewJob usual = jobs.withPriority(priority, due);
        JobTraits traits = usual.traits()
                .withQueue(lane.queue())
                .withTags(lane.tags().toArray(String[]::new))
                .withUses(lane.uses());
        return new NewJob(usual.id(), usual.invocation(), due, traits);
    }

    private Set<Lane> lanes() {
        return new HashSet<>(
                storage.queues().lanes().stream().map(LaneState::lane).toList());
    }
}
