package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider.Promotion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every storage must do with keys that let a few jobs run at a time, or a few per period. */
public abstract class LimitContract extends KeyedStorage {
    private static final KeyRule TENANT = KeyRule.limit("tenant 7", 3);

    /** For subclasses. */
    protected LimitContract() {}

    @Test
    final void no_more_than_the_limit_are_given_out_and_each_end_lets_one_go_on() {
        List<JobId> ids = kept(TENANT, 6);

        List<Lease> taken = assertClaims(ids.subList(0, 3));
        assertWritten(Endings.completed(taken.get(1)));
        Lease fourth = assertClaims(ids.get(3));
        assertEquals(
                List.of(WriteResult.WRITTEN, WriteResult.WRITTEN),
                storage.record(List.of(Endings.completed(taken.get(0)), Endings.failed(fourth))));
        assertClaims(ids.subList(4, 6));
    }

    @Test
    final void an_ending_written_twice_lets_one_go_on() {
        List<JobId> ids = kept(TENANT, 5);
        Lease first = assertClaims(ids.subList(0, 3)).get(0);

        assertWritten(Endings.completed(first));
        assertWritten(Endings.completed(first));
        assertClaims(ids.get(3));
    }

    @Test
    final void a_late_tenant_waits_for_no_more_than_the_limit_of_a_big_one() {
        KeyRule big = KeyRule.fair("big", 5);
        List<JobId> many = kept(big, 200);
        List<JobId> late = kept(KeyRule.fair("late", 5), 2);

        List<JobId> order = drained();

        assertEquals(202, order.size());
        assertTrue(order.indexOf(late.get(0)) <= 5, () -> "started as number " + order.indexOf(late.get(0)));
        assertTrue(order.indexOf(late.get(1)) <= 10, () -> "started as number " + order.indexOf(late.get(1)));
        assertEquals(many, order.stream().filter(many::contains).toList());
    }

    @Test
    final void more_urgent_jobs_of_a_key_go_first_in_its_line() {
        KeyRule one = KeyRule.limit("one", 1);
        List<JobId> usual = kept(one, 3);
        JobId urgent = keep(jobs.withTraits(JobTraits.DEFAULT.withKey(one).withPriority(-1)));

        assertEquals(List.of(usual.get(0), urgent, usual.get(1), usual.get(2)), drained());
    }

    @Test
    final void a_retry_lets_go_of_its_slot_and_queues_up_again() {
        KeyRule one = KeyRule.limit("one", 1);
        List<JobId> ids = kept(one, 3);

        assertWritten(Endings.threw(assertClaims(ids.get(0)), Duration.ZERO));
        Lease second = assertClaims(ids.get(1));
        Patience.untilTrue("the retry is due", () -> storage.promote(FULL).moved() == 1);
        assertNothingToClaim();
        assertWritten(Endings.completed(second));
        assertEquals(List.of(ids.get(2), ids.get(0)), drained());
        assertStates(ids.get(0), StateName.SCHEDULED, StateName.SUCCEEDED);
    }

    @Test
    final void a_rescued_job_lets_go_of_its_slot_once() {
        KeyRule one = KeyRule.limit("one", 1);
        List<JobId> ids = kept(one, 3);
        Lease lost = assertClaims(ids.get(0));

        assertWritten(Endings.rescued(lost, Jobs.LONG));
        assertStale(Endings.completed(lost));
        assertClaims(ids.get(1));
        assertEquals(WriteResult.WRITTEN, storage.cancel(ids.get(0), ANNA));
        assertNothingToClaim();
    }

    @Test
    final void a_parked_job_lets_go_of_its_slot_and_queues_up_again() {
        KeyRule one = KeyRule.limit("one", 1);
        List<JobId> ids = kept(one, 3);

        assertWritten(Endings.parked(assertClaims(ids.get(0))));
        assertStates(ids.get(0), StateName.PARKED);
        Lease second = assertClaims(ids.get(1));
        assertEquals(1, storage.unpark(NODE, Jobs.TARGET, FULL));
        assertStates(ids.get(0), StateName.PARKED, StateName.ENQUEUED);
        assertNothingToClaim();
        assertWritten(Endings.completed(second));
        Lease third = assertClaims(ids.get(2));
        assertWritten(Endings.parked(third));
        assertWritten(Endings.parked(assertClaims(ids.get(0))));
        assertEquals(WriteResult.WRITTEN, storage.cancel(ids.get(0), ANNA));
        assertEquals(WriteResult.WRITTEN, storage.runAgain(ids.get(2), ANNA));
        assertEquals(ids.subList(2, 3), drained());
    }

    @Test
    final void the_limit_of_the_last_job_that_came_counts() {
        kept(KeyRule.limit("grows", 1), 5);
        assertEquals(1, storage.claim(NODE, FULL).size());

        keep(aJobWith(KeyRule.limit("grows", 4)));
        assertEquals(3, storage.claim(NODE, FULL).size());

        keep(aJobWith(KeyRule.limit("grows", 1)));
        List<Lease> held = storage.leasesOf(NODE);
        assertWritten(Endings.completed(held.get(0)));
        assertWritten(Endings.completed(held.get(1)));
        assertWritten(Endings.completed(held.get(2)));
        assertNothingToClaim();
        assertWritten(Endings.completed(held.get(3)));
        assertEquals(1, storage.claim(NODE, FULL).size());
    }

    @Test
    final void a_thousand_keys_in_one_call() {
        List<JobId> first = jobsOfKeys(500);
        List<JobId> second = jobsOfKeys(500);

        List<Lease> taken = assertClaims(first);
        storage.record(taken.stream().map(Endings::completed).toList());
        List<Lease> next = storage.claim(NODE, FULL);
        assertEquals(Set.copyOf(second), Set.copyOf(idsOf(next)));
        storage.record(next.stream().map(Endings::failed).toList());
        assertNothingToClaim();
    }

    private List<JobId> jobsOfKeys(int count) {
        var batch = IntStream.range(0, count)
                .mapToObj(i -> aJobWith(KeyRule.mailbox("key " + i)))
                .toList();
        storage.insert(batch);
        return batch.stream().map(NewJob::id).toList();
    }

    @Test
    final void a_rate_lets_one_go_on_and_tells_when_the_next_may() {
        KeyRule rate = KeyRule.rate("api", 2, Duration.ofSeconds(600));
        List<JobId> ids = kept(rate, 3);

        Lease first = assertClaims(ids.get(0));
        assertWritten(Endings.completed(first));
        Promotion promotion = storage.promote(FULL);
        assertEquals(0, promotion.moved());
        Duration next = promotion.untilNext();
        assertNotNull(next);
        assertTrue(next.toSeconds() > 200 && next.toSeconds() <= 300, () -> "the next may go on in " + next);
        assertNothingToClaim();
        storage.cancel(ids.get(1), ANNA);
        assertStates(ids.get(1), StateName.CANCELLED);
    }

    @Test
    final void a_rate_lets_no_more_go_on_within_any_period_than_it_says() {
        int count = 20;
        Duration period = Duration.ofMillis(400);
        // each went on after the claim before the one that found it had begun, and before it was found
        List<Long> notBefore = new ArrayList<>();
        List<Long> notAfter = new ArrayList<>();
        AtomicLong lastClaim = new AtomicLong(System.nanoTime());
        kept(KeyRule.rate("api", count, period), 60);
        Patience.untilTrue("all have gone on", () -> {
            long claims = System.nanoTime();
            List<Lease> taken = storage.claim(NODE, FULL);
            taken.forEach(lease -> {
                notBefore.add(lastClaim.get());
                notAfter.add(System.nanoTime());
            });
            lastClaim.set(claims);
            if (!taken.isEmpty()) {
                storage.record(taken.stream().map(Endings::completed).toList());
            }
            storage.promote(FULL);
            return notAfter.size() == 60;
        });

        // the storage's clock is another one than that of this process
        long slack = Duration.ofMillis(2).toNanos();
        for (int i = 0; i + count < notAfter.size(); i++) {
            long took = notAfter.get(i + count) - notBefore.get(i);
            assertTrue(took > period.toNanos() - slack, () -> count + 1 + " went on within " + took + " ns");
        }
    }

    @Test
    final void a_retry_takes_its_time_of_the_rate_again() {
        KeyRule rate = KeyRule.rate("api", 1, Duration.ofSeconds(600));
        JobId id = keep(aJobWith(rate));
        assertWritten(Endings.threw(assertClaims(id), Duration.ZERO));

        Patience.untilTrue("the retry is due", () -> storage.promote(FULL).moved() == 1);

        assertStates(id, StateName.SCHEDULED, StateName.ENQUEUED);
        assertNothingToClaim();
    }

    @Test
    final void a_rate_that_has_been_quiet_starts_anew() {
        KeyRule rate = KeyRule.rate("api", 1, Duration.ofMillis(30));
        JobId first = keep(aJobWith(rate));
        assertEquals(List.of(first), drained());
        Patience.pass(Duration.ofMillis(60));
        assertEquals(0, storage.promote(FULL).moved());

        JobId second = keep(aJobWith(rate));
        assertEquals(List.of(second), drained());
        keep(aJobWith(rate, new Due.After(Jobs.LONG)));
        assertNothingToClaim();
    }
}
