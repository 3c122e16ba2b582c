package dev.treadle.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import dev.treadle.job.OperatorNote;
import dev.treadle.storage.DueListener;
import dev.treadle.storage.Leases;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.PendingWork.Head;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LanesTest {
    private static final Lane MAIL = new Lane("mail", Set.of());
    private static final Lane GPU = new Lane("default", Set.of("gpu"));
    private static final OperatorNote ANN = new OperatorNote("ann", null);

    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private final AdminStorage storage = new InMemoryStorageProvider(() -> now);
    private final List<String> asked = new ArrayList<>();
    private final AtomicInteger changes = new AtomicInteger();
    private boolean told = true;
    private final Lanes lanes =
            new Lanes(this::heads, lane -> !lane.equals(GPU), () -> now, () -> told, changes::incrementAndGet);
    private int made;

    @Test
    void a_node_that_serves_one_lane_asks_nothing_and_claims_from_it_when_it_has_heard_of_jobs() {
        look();
        asked.clear();

        assertEquals(List.of(Lane.DEFAULT), take(), "what is there when it starts");
        claimed(Lane.DEFAULT, 0, false);
        assertEquals(List.of(), take());

        lanes.hint(Lane.DEFAULT);
        assertEquals(List.of(Lane.DEFAULT), take());
        claimed(Lane.DEFAULT, 5, false);
        assertEquals(List.of(), take(), "it took all there was, and others tell of more");

        lanes.lookAgain();
        claimed(Lane.DEFAULT, 5, true);
        assertEquals(List.of(Lane.DEFAULT), take(), "there is probably more");
        claimed(Lane.DEFAULT, 2, false);
        assertEquals(List.of(Lane.DEFAULT), take(), "some may stand before the place where the full claim ended");
        claimed(Lane.DEFAULT, 2, false);
        assertEquals(List.of(), take());
        assertEquals(List.of(), asked);
    }

    @Test
    void what_is_heard_of_during_a_claim_is_for_the_next_one() {
        look();
        take();
        lanes.claims(DueListener.ANY_NUMBER);
        lanes.hint(Lane.DEFAULT);
        lanes.claimed(Lane.DEFAULT, 0, false, 0);

        assertEquals(List.of(Lane.DEFAULT), take());
    }

    @Test
    void a_node_that_was_told_of_some_jobs_asks_for_those_and_leaves_the_others_to_others() {
        look();
        take();
        claimed(Lane.DEFAULT, 0, false);

        lanes.hint(Lane.DEFAULT, 2);
        lanes.hint(Lane.DEFAULT, 1);
        assertEquals(List.of(Lane.DEFAULT), take());
        assertEquals(3, lanes.announced());
        lanes.claims(3);
        lanes.hint(Lane.DEFAULT, 1);
        lanes.claimed(Lane.DEFAULT, 3, false, 0);

        assertEquals(List.of(Lane.DEFAULT), take());
        assertEquals(1, lanes.announced(), "that of which it was told during the claim");
        lanes.claims(1);
        lanes.claimed(Lane.DEFAULT, 1, false, 0);
        assertEquals(List.of(), take());
    }

    @Test
    void what_there_was_no_room_for_is_asked_for_later() {
        look();
        take();
        claimed(Lane.DEFAULT, 0, false);

        lanes.hint(Lane.DEFAULT, 5);
        take();
        lanes.claims(2);
        lanes.claimed(Lane.DEFAULT, 2, true, 0);

        assertEquals(List.of(Lane.DEFAULT), take());
        assertEquals(DueListener.ANY_NUMBER, lanes.announced());
    }

    @Test
    void a_claim_is_not_limited_after_jobs_of_unknown_number_nor_where_not_all_is_told() {
        look();
        take();
        claimed(Lane.DEFAULT, 0, false);

        lanes.hint(Lane.DEFAULT, 1);
        lanes.hint(Lane.DEFAULT);
        assertEquals(List.of(Lane.DEFAULT), take());
        assertEquals(DueListener.ANY_NUMBER, lanes.announced());
        claimed(Lane.DEFAULT, 1, false);

        told = false;
        lanes.hint(Lane.DEFAULT, 1);
        assertEquals(List.of(Lane.DEFAULT), take());
        assertEquals(DueListener.ANY_NUMBER, lanes.announced());
    }

    @Test
    void where_nobody_tells_more_is_looked_for_where_some_was_found() {
        told = false;
        look();
        take();

        claimed(Lane.DEFAULT, 1, false);
        assertEquals(List.of(Lane.DEFAULT), take());
        claimed(Lane.DEFAULT, 0, false);
        assertEquals(List.of(), take(), "the next look finds what comes");
    }

    private void claimed(Lane lane, int found, boolean all) {
        lanes.claims(DueListener.ANY_NUMBER);
        lanes.claimed(lane, found, all, 0);
    }

    @Test
    void of_several_lanes_one_question_says_where_something_waits_and_stays_fresh_for_a_while() {
        insert(MAIL);
        insert(MAIL);
        insert(Lane.DEFAULT);
        insert(GPU);
        look();
        asked.clear();

        assertEquals(List.of(Lane.DEFAULT, MAIL), take());
        lanes.claimed(Lane.DEFAULT, 0, false, 0);
        assertEquals(List.of(MAIL), take());
        lanes.claimed(MAIL, 1, true, 0);
        assertEquals(List.of(MAIL), take());
        assertEquals(List.of("heads"), asked);

        now = now.plusMillis(Lanes.FRESH_MILLIS);
        take();
        assertEquals(List.of("heads", "heads"), asked, "others may have come meanwhile");

        lanes.lookAgain();
        take();
        assertEquals(3, asked.size(), "it was told that some did");
    }

    @Test
    void where_there_is_no_room_nothing_is_asked() {
        insert(MAIL);
        look();
        asked.clear();

        assertEquals(List.of(), lanes.heads(() -> false));
        assertFalse(lanes.isNothingWaiting(), "it does not know");
        assertEquals(List.of(), asked);
    }

    @Test
    void a_hint_is_believed_unasked_also_of_a_lane_never_heard_of() {
        insert(MAIL);
        look();
        take();
        claimAll();
        asked.clear();
        Lane fresh = new Lane("fresh", Set.of());

        lanes.hint(fresh);
        lanes.hint(GPU);

        assertTrue(take().contains(fresh));
        assertFalse(take().contains(GPU), "it does not serve that one");
        assertEquals(List.of(), asked);
    }

    @Test
    void hints_that_never_end_do_not_hide_other_lanes_for_long() {
        insert(MAIL);
        look();
        take();
        claimAll();
        insert(MAIL);

        int turns = 0;
        do {
            lanes.hint(Lane.DEFAULT);
            now = now.plusMillis(10);
            turns++;
        } while (!take().contains(MAIL));

        assertTrue(turns <= Lanes.HINTED_MILLIS / 10, "after " + turns + " turns of 10 ms");
    }

    @Test
    void a_pause_is_seen_by_the_next_look_and_ends_when_the_storage_says_so() {
        insert(MAIL);
        look();
        assertEquals(List.of(MAIL), take());
        int before = changes.get();

        storage.queues().pause("mail", ANN, new Due.At(now.plusSeconds(5)));
        look();

        assertTrue(lanes.isPaused("mail"));
        assertEquals(List.of(), take());
        assertEquals(before + 1, changes.get(), "whoever waits is told");

        now = now.plusSeconds(5);
        look();
        assertFalse(lanes.isPaused("mail"));
        assertEquals(List.of(MAIL), take());
    }

    @Test
    void the_only_lane_can_be_paused() {
        storage.queues().pause("default", ANN, null);
        look();

        assertEquals(List.of(), take());
    }

    private List<Lane> take() {
        return lanes.heads(() -> true).stream().map(Head::lane).toList();
    }

    private void claimAll() {
        for (Lane lane : take()) {
            storage.claim(Leases.NODE, lane, 100);
            lanes.claimed(lane, 0, false, 0);
        }
    }

    private void insert(Lane lane) {
        JobTraits traits =
                JobTraits.DEFAULT.withQueue(lane.queue()).withTags(lane.tags().toArray(String[]::new));
        JobId id = JobId.of(new UUID(0, ++made));
        storage.insert(List.of(new NewJob(id, new Invocation("com.acme.Greet", null, "{}"), Due.NOW, traits)));
    }

    private void look() {
        lanes.look(() -> storage.outlook(Leases.NODE));
    }

    private List<Head> heads() {
        asked.add("heads");
        return storage.heads();
    }
}
