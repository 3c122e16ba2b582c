package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs that compute what they use. */
@Timeout(120)
@SuppressWarnings("try") // the node need not be named again
class AmountsTest {
    /** 64 as they are, and four from each of the powers of two 64 to 2^19 to the next. */
    private static final int AMOUNTS_MAX = 64 + 4 * 14;

    private static final int JOBS = 100_000;

    record Sized(int amount) implements JobRequest<Void> {}

    private static int kept(int amount) {
        return JobTraits.DEFAULT
                .withUses(Map.of("rows", amount))
                .withAmountsRoundedUp()
                .uses()
                .get("rows");
    }

    @Test
    void all_amounts_there_can_be_are_rounded_up_to_120() {
        Set<Integer> kept = new HashSet<>();
        for (int amount = 1; amount <= JobTraits.AMOUNT_MAX; amount++) {
            int rounded = kept(amount);
            assertTrue(rounded >= amount && rounded < amount * 1.25, amount + " became " + rounded);
            kept.add(rounded);
        }
        assertEquals(AMOUNTS_MAX, kept.size());
        for (int rounded : kept) {
            assertEquals(rounded, kept(rounded), "what was rounded is not rounded again");
        }
    }

    @Test
    void a_hundred_thousand_jobs_with_amounts_of_their_own_share_few_lanes_and_all_get_what_they_ask_for() {
        int permits = JOBS + JOBS / 2;
        AdminStorage storage = new InMemoryStorageProvider();
        try (Treadle client = Treadle.on(storage).enqueueOnly()) {
            for (int amount = 1; amount <= JOBS; amount++) {
                client.jobs()
                        .with(JobOptions.DEFAULT.withUses(Map.of("rows", amount)))
                        .enqueue(new Sized(amount));
            }
        }
        int lanes = storage.queues().lanes().size();
        assertTrue(lanes <= AMOUNTS_MAX + 1, "beside that of jobs that use nothing there are " + lanes);

        AtomicInteger inUse = new AtomicInteger();
        AtomicInteger inUseMost = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        try (Treadle node = Treadle.on(storage)
                .settings(JobServerSettings.DEFAULT.withWorkers(20).withResource("rows", permits))
                .handler(Sized.class, (sized, job) -> {
                    inUseMost.accumulateAndGet(inUse.addAndGet(sized.amount()), Math::max);
                    Thread.yield();
                    inUse.addAndGet(-sized.amount());
                    ran.incrementAndGet();
                })
                .start()) {
            Await.until("all ran", () -> ran.get() == JOBS);
            assertTrue(inUseMost.get() <= permits, "those that ran together asked for " + inUseMost);
        }
    }
}
