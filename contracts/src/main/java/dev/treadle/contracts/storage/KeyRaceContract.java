package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What must hold of keys when many put in, take, end and cancel at the same time. */
public abstract class KeyRaceContract extends KeyedStorage {
    private static final int ROUNDS = 20;
    private static final int KEYS = 5;
    private static final int JOBS = 120;

    private final Map<String, AtomicInteger> leased = new ConcurrentHashMap<>();
    private final Map<String, List<Integer>> started = new ConcurrentHashMap<>();
    private final Map<JobId, Integer> numbers = new ConcurrentHashMap<>();
    private final AtomicInteger done = new AtomicInteger();

    /** For subclasses. */
    protected KeyRaceContract() {}

    @Test
    final void mailboxes_keep_their_order_and_limits_hold_while_four_take_and_two_put_in() {
        List<Callable<Boolean>> works = new ArrayList<>();
        // each key is put in by one, so that there is an order to keep
        works.add(() -> putIn(0));
        works.add(() -> putIn(1));
        for (int i = 0; i < 4; i++) {
            works.add(this::takeAll);
        }

        Together.all(works);

        assertNothingToClaim();
        for (int key = 0; key < KEYS; key++) {
            List<Integer> order = started.get("mailbox " + key);
            List<Integer> sorted = new ArrayList<>(order);
            Collections.sort(sorted);
            assertEquals(sorted, order, "the order of mailbox " + key);
        }
    }

    private boolean putIn(int who) {
        for (int n = 0; n < JOBS / 2; n += 3) {
            List<NewJob> batch = new ArrayList<>();
            for (int i = n; i < n + 3; i++) {
                int key = 2 * (i % (KEYS / 2 + 1)) + who;
                boolean limit = key >= KEYS;
                NewJob job = aJobWith(limit ? KeyRule.limit("shared", 2) : KeyRule.mailbox(String.valueOf(key)));
                numbers.put(job.id(), i);
                batch.add(job);
            }
            storage.insert(batch);
        }
        return true;
    }

    private boolean takeAll() {
        Patience.untilTrue("all are done", () -> {
            List<Lease> taken = storage.claim(NODE, 4);
            List<Transition> endings = new ArrayList<>();
            for (Lease lease : taken) {
                begin(lease);
                endings.add(done.get() % 7 == 3 ? Endings.failed(lease) : Endings.completed(lease));
                done.incrementAndGet();
                end(lease);
            }
            recordAll(endings);
            return done.get() == JOBS;
        });
        return true;
    }

    private void begin(Lease lease) {
        KeyRule rule = lease.job().traits().key();
        int now = leased.computeIfAbsent(rule.line(), unseen -> new AtomicInteger())
                .incrementAndGet();
        assertTrue(now <= rule.atMost(), () -> now + " of " + rule + " run at once");
        started.computeIfAbsent(rule.line(), unseen -> Collections.synchronizedList(new ArrayList<>()))
                .add(numbers.get(lease.job().id()));
    }

    private void end(Lease lease) {
        leased.get(lease.job().traits().key().line()).decrementAndGet();
    }

    @Test
    final void completing_and_cancelling_the_same_job_at_once_let_one_go_on() {
        KeyRule one = KeyRule.limit("one", 1);
        for (int round = 0; round < ROUNDS; round++) {
            List<JobId> ids = kept(one, 3);
            Lease first = assertClaims(ids.get(0));

            var answers = Together.two(
                    () -> record(Endings.completed(first)),
                    () -> storage.cancel(first.job().id(), ANNA));

            assertTrue(answers.exactlyOneIs(WriteResult.WRITTEN), answers::toString);
            Lease second = assertClaims(ids.get(1));
            assertWritten(Endings.completed(second));
            assertEquals(ids.subList(2, 3), drained());
        }
    }

    @Test
    final void ending_one_and_cancelling_the_next_at_once_neither_sticks_nor_gives_out_two() {
        KeyRule one = KeyRule.mailbox("one");
        for (int round = 0; round < ROUNDS; round++) {
            List<JobId> ids = kept(one, 3);
            Lease first = assertClaims(ids.get(0));

            Together.two(() -> record(Endings.completed(first)), () -> storage.cancel(ids.get(1), ANNA));

            assertEquals(ids.subList(2, 3), drained());
        }
    }

    @Test
    final void putting_in_and_ending_the_last_at_once_neither_sticks_nor_gives_out_two() {
        KeyRule one = KeyRule.mailbox("one");
        Lease last = claimed(aJobWith(one));
        for (int round = 0; round < ROUNDS; round++) {
            Lease ending = last;
            var both = Together.two(() -> record(Endings.completed(ending)), () -> kept(one, 1));
            last = assertClaims(both.other().get(0));
        }
        assertWritten(Endings.completed(last));
        assertNothingToClaim();
    }

    @Test
    final void promoting_twice_at_once_puts_each_job_in_its_line_once() {
        for (int round = 0; round < ROUNDS; round++) {
            KeyRule rule = KeyRule.limit("round " + round, 2);
            List<NewJob> batch = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                batch.add(aJobWith(rule, new Due.After(Duration.ofMillis(1))));
            }
            storage.insert(batch);
            Patience.moment();

            List<Integer> moved = Together.times(3, () -> storage.promote(FULL).moved());

            assertEquals(6, moved.stream().mapToInt(Integer::intValue).sum());
            List<Lease> two = storage.claim(NODE, FULL);
            assertEquals(2, two.size());
            recordAll(two.stream().map(Endings::completed).toList());
            assertEquals(4, drained().size());
        }
    }

    @Test
    final void six_who_act_on_many_jobs_of_the_same_keys_at_once_all_succeed() {
        for (int round = 0; round < 3; round++) {
            List<List<JobId>> each = new ArrayList<>();
            for (int actor = 0; actor < 6; actor++) {
                List<Integer> keys =
                        new ArrayList<>(IntStream.range(0, 60).boxed().toList());
                Collections.shuffle(keys, new Random(100L * round + actor));
                each.add(keys.stream()
                        .map(key -> keep(jobs.withTraits(JobTraits.DEFAULT.withKey(KeyRule.limit("k" + key, 2)))))
                        .toList());
            }
            Queue<List<JobId>> left = new ConcurrentLinkedQueue<>(each);
            OperatorNote note = new OperatorNote("a test", null);
            OperatorAct cancel = JobAction.CANCEL.on("60 jobs", note);

            List<List<WriteResult>> answers =
                    Together.times(6, () -> storage.act(JobAction.CANCEL, note, left.remove(), cancel));

            answers.forEach(answer -> assertEquals(Collections.nCopies(60, WriteResult.WRITTEN), answer));
            assertEquals(List.of(), storage.claim(AUDITOR, FULL));
        }
    }
}
