package dev.treadle.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.Leases;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClaimerTest {
    private static final Duration EVERY = Duration.ofSeconds(20);

    private final StorageProvider memory = new InMemoryStorageProvider();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));
    private final List<Integer> asked = new ArrayList<>();
    private boolean answersAreLost;
    private final Claimer claimer = new Claimer(
            ScriptedStorage.over(memory, (call, arguments, real) -> {
                Object answer = real.make();
                if (call.equals("claim")) {
                    asked.add((Integer) arguments[2]);
                    if (answersAreLost) {
                        throw new StorageException("the answer was lost", null, true);
                    }
                }
                return answer;
            }),
            Leases.NODE,
            now::get,
            EVERY);

    @Test
    void never_asks_for_more_than_one_claim_takes() {
        claimer.claim(Lane.DEFAULT, 3);
        claimer.claim(Lane.DEFAULT, Claimer.CLAIM_BATCH_MAX + 1);

        assertEquals(List.of(3, Claimer.CLAIM_BATCH_MAX), asked);
        assertFalse(claimer.isInDoubt());
    }

    @Test
    void a_claim_whose_answer_was_lost_is_found_again() {
        insert(2);
        answersAreLost = true;
        assertThrows(StorageException.class, () -> claimer.claim(Lane.DEFAULT, 2));

        assertTrue(claimer.isInDoubt());
        assertEquals(2, claimer.adopt(Set.of()).size());
        assertFalse(claimer.isInDoubt(), "asked just now");
    }

    @Test
    void the_doubt_is_looked_into_now_and_then_until_it_is_over() {
        answersAreLost = true;
        assertThrows(StorageException.class, () -> claimer.claim(Lane.DEFAULT, 1));
        int looks = 0;
        for (int second = 0; second <= EVERY.toSeconds() * 4; second++) {
            if (claimer.isInDoubt()) {
                claimer.adopt(Set.of());
                looks++;
            }
            now.updateAndGet(before -> before.plusSeconds(1));
        }

        assertEquals(5, looks, "at once, then twice as often as usual, the last time when it is over");
    }

    @Test
    void leases_are_compared_for_ever_although_no_answer_was_lost() {
        for (int day = 0; day < 3; day++) {
            assertFalse(claimer.isTimeToCompare());
            now.updateAndGet(before -> before.plus(Duration.ofDays(1)));
            assertTrue(claimer.isTimeToCompare());
            insert(1 + day);
            Lease lost = memory.claim(Leases.NODE, 1).get(0);

            assertTrue(claimer.adopt(Set.of()).contains(lost));
            assertFalse(claimer.adopt(Set.of(RunId.of(lost))).contains(lost));
        }
    }

    private void insert(int jobs) {
        memory.insert(IntStream.range(0, jobs)
                .mapToObj(i -> new NewJob(
                        JobId.of(new UUID(0, i)),
                        new Invocation("com.acme.Greet", null, "{}"),
                        Due.NOW,
                        JobTraits.DEFAULT))
                .toList());
    }
}
