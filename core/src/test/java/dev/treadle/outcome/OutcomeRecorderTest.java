package dev.treadle.outcome;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.Failure;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.Leases;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutcomeRecorderTest {
    private static final String POISON = "poison";

    private final StorageProvider memory = new InMemoryStorageProvider();
    private final List<List<Transition>> writes = new ArrayList<>();
    private final List<Lease> settled = new ArrayList<>();
    private final AtomicInteger nudges = new AtomicInteger();
    private boolean away;
    private final OutcomeRecorder recorder = new OutcomeRecorder(
            ScriptedStorage.over(memory, (call, arguments, real) -> {
                if (call.equals("record")) {
                    record(endingsIn(arguments));
                }
                return real.make();
            }),
            settled::add,
            nudges::incrementAndGet);

    private void record(List<Transition> endings) {
        if (away) {
            throw new StorageException("away", null, true);
        }
        writes.add(endings);
        if (endings.stream().anyMatch(OutcomeRecorderTest::isPoisoned)) {
            throw new StorageException("not storable", null, false);
        }
    }

    @Test
    void a_listener_that_throws_is_told_of_the_other_endings_all_the_same() {
        List<Lease> told = new ArrayList<>();
        OutcomeRecorder all = new OutcomeRecorder(memory, () -> {}, (ending, result) -> {
            told.add(ending.lease());
            if (told.size() < 3) {
                throw told.size() == 1 ? new IllegalStateException("first") : new IllegalStateException("second");
            }
        });
        for (int job = 1; job <= 3; job++) {
            all.offer(AttemptEnd.givenBack(Leases.number(job)));
        }

        all.turn();

        assertEquals(3, told.size());
        assertEquals(0, all.waiting());
    }

    @Test
    void what_is_written_already_is_told_of_and_not_written_again() {
        List<Transition> endings = completes(3);
        recorder.offerWritten(endings.get(0));
        recorder.offer(endings.get(1));
        recorder.offerWritten(endings.get(2));
        assertEquals(3, recorder.waiting());

        recorder.turn();

        assertEquals(List.of(List.of(endings.get(1))), writes);
        assertEquals(Set.copyOf(endings.stream().map(Transition::lease).toList()), Set.copyOf(settled));
        assertEquals(3, settled.size());
        assertEquals(0, recorder.waiting());
    }

    @Test
    void what_is_written_already_waits_while_what_comes_before_it_cannot_be_done() {
        AtomicInteger told = new AtomicInteger();
        OutcomeRecorder all = new OutcomeRecorder(memory, () -> {}, new OutcomeRecorder.Listener() {
            @Override
            public void before() {
                record(List.of());
            }

            @Override
            public void settled(Transition ending, WriteResult result) {
                told.incrementAndGet();
            }
        });
        all.offerWritten(completes(1).get(0));
        away = true;
        assertThrows(StorageException.class, all::turn);
        assertEquals(0, told.get());
        away = false;
        all.turn();
        assertEquals(1, told.get());
        assertEquals(0, all.waiting());
    }

    @Test
    void nothing_offered_is_nothing_written() {
        assertTrue(recorder.turn().compareTo(Duration.ZERO) > 0);
        assertEquals(List.of(), writes);
    }

    @Test
    void what_has_gathered_is_one_write_and_each_offer_nudges() {
        List<Transition> endings = completes(3);
        endings.forEach(recorder::offer);
        assertEquals(3, nudges.get());
        assertEquals(3, recorder.waiting());

        assertTrue(recorder.turn().compareTo(Duration.ZERO) > 0, "nothing is left to hurry for");

        assertEquals(List.of(endings), writes);
        assertEquals(endings.stream().map(Transition::lease).toList(), settled);
        assertEquals(0, recorder.waiting());
    }

    @Test
    void an_ending_whose_key_is_held_is_written_later_and_holds_up_no_other() {
        List<Transition> endings = completes(3);
        Transition held = endings.get(0);
        AtomicInteger timesHeld = new AtomicInteger(2);
        OutcomeRecorder some = new OutcomeRecorder(
                ScriptedStorage.over(memory, (call, arguments, real) -> {
                    if (!call.equals("record") || timesHeld.get() == 0) {
                        return real.make();
                    }
                    List<WriteResult> results = new ArrayList<>();
                    for (Transition ending : endingsIn(arguments)) {
                        boolean busy = ending == held && timesHeld.getAndDecrement() > 0;
                        results.add(
                                busy
                                        ? WriteResult.BUSY
                                        : memory.record(List.of(ending)).get(0));
                    }
                    return results;
                }),
                settled::add,
                nudges::incrementAndGet);
        endings.forEach(some::offer);

        assertTrue(some.turn().compareTo(Duration.ZERO) > 0, "it would ask again and again");
        assertEquals(endings.subList(1, 3).stream().map(Transition::lease).toList(), settled);
        assertEquals(1, some.waiting());
        some.turn();
        assertEquals(1, some.waiting());
        some.turn();

        assertEquals(0, some.waiting());
        assertEquals(held.lease(), settled.get(2));
        endings.forEach(ending -> assertEquals(StateName.SUCCEEDED, stateOf(ending)));
    }

    @Test
    void more_than_one_write_takes_is_written_in_several_without_a_rest() {
        List<Transition> endings = completes(OutcomeRecorder.RECORD_BATCH_MAX + 1);
        endings.forEach(recorder::offer);

        assertEquals(Duration.ZERO, recorder.turn());
        assertTrue(recorder.turn().compareTo(Duration.ZERO) > 0);

        assertEquals(
                List.of(OutcomeRecorder.RECORD_BATCH_MAX, 1),
                writes.stream().map(List::size).toList());
        assertEquals(endings, all(writes));
    }

    @Test
    void while_the_storage_is_away_everything_is_kept_and_written_later_in_its_order() {
        List<Transition> endings = completes(6);
        away = true;
        for (Transition ending : endings) {
            recorder.offer(ending);
            assertThrows(StorageException.class, recorder::turn);
        }
        assertEquals(List.of(), settled);
        assertEquals(6, recorder.waiting());
        away = false;

        recorder.turn();

        assertEquals(List.of(endings), writes);
        assertEquals(endings.stream().map(Transition::lease).toList(), settled);
        endings.forEach(ending -> assertEquals(StateName.SUCCEEDED, stateOf(ending)));
    }

    @Test
    void one_ending_that_cannot_be_stored_is_found_by_halving_and_written_without_its_text() {
        List<Transition> endings = new ArrayList<>(completes(100));
        Transition poisoned = poisoned(endings.get(37).lease());
        endings.set(37, poisoned);
        endings.forEach(recorder::offer);

        turnsUntilIdle();

        Failure kept = failureOf(poisoned);
        assertEquals("NotStorable", kept.type());
        assertTrue(kept.message().contains("the log has it"), kept.message());
        assertEquals(StateName.FAILED, stateOf(poisoned));
        endings.stream()
                .filter(ending -> ending != poisoned)
                .forEach(ending -> assertEquals(StateName.SUCCEEDED, stateOf(ending)));
        assertEquals(
                endings.stream().map(Transition::lease).toList(), settled, "each once, in the order they were offered");
        assertTrue(writes.size() < 30, "halving takes few writes: " + writes.size());
    }

    @Test
    void several_endings_that_cannot_be_stored_are_all_found() {
        List<Transition> endings = new ArrayList<>(completes(20));
        for (int bad : new int[] {0, 7, 8, 19}) {
            endings.set(bad, poisoned(endings.get(bad).lease()));
        }
        endings.forEach(recorder::offer);

        turnsUntilIdle();

        assertEquals(
                List.of(0, 7, 8, 19),
                IntStream.range(0, 20)
                        .filter(i -> stateOf(endings.get(i)) == StateName.FAILED)
                        .boxed()
                        .toList());
        assertEquals(20, settled.size());
    }

    @Test
    void a_retry_and_a_parked_job_keep_all_but_their_text() {
        List<Transition> endings = completes(2);
        Lease retried = endings.get(0).lease();
        Lease parked = endings.get(1).lease();
        Failure why = Failure.because(POISON, "");
        recorder.offer(AttemptEnd.retried(retried, Duration.ofMillis(3), why, Duration.ofHours(1)));
        recorder.offer(AttemptEnd.parked(parked, why, true));

        turnsUntilIdle();

        Failure plain = failureOf(endings.get(0));
        assertEquals(
                List.of(
                        AttemptEnd.retried(retried, Duration.ofMillis(3), plain, Duration.ofHours(1)),
                        AttemptEnd.parked(parked, plain, true)),
                all(writes).stream().filter(ending -> !isPoisoned(ending)).toList());
    }

    @Test
    void an_ending_without_text_that_cannot_be_stored_is_kept_and_reported_as_it_is() {
        StorageException refusal = new StorageException("this too", null, false);
        OutcomeRecorder stubborn = new OutcomeRecorder(
                ScriptedStorage.over(memory, (call, arguments, real) -> {
                    throw refusal;
                }),
                settled::add,
                () -> {});
        stubborn.offer(AttemptEnd.givenBack(Leases.number(1)));

        assertEquals(refusal, assertThrows(StorageException.class, stubborn::turn));
        assertEquals(1, stubborn.waiting());
        assertEquals(List.of(), settled);
    }

    @Test
    void an_ending_that_makes_the_storage_fail_in_a_way_nobody_knows_keeps_no_other_from_being_written() {
        List<Transition> endings = completes(20);
        Lease bad = endings.get(7).lease();
        OutcomeRecorder afterAll = new OutcomeRecorder(
                ScriptedStorage.over(memory, (call, arguments, real) -> {
                    if (call.equals("record")
                            && endingsIn(arguments).stream()
                                    .anyMatch(ending -> ending.lease().equals(bad))) {
                        throw new IllegalStateException("a mistake of the storage's own");
                    }
                    return real.make();
                }),
                settled::add,
                () -> {});
        endings.forEach(afterAll::offer);

        for (int turns = 0; turns < 100 && settled.size() < 19; turns++) {
            try {
                afterAll.turn();
            } catch (IllegalStateException e) {
                // the loop reports it and takes another turn
            }
        }

        assertEquals(19, settled.size());
        assertEquals(1, afterAll.waiting(), "it is kept, and tried again");
    }

    @Test
    void all_of_a_batch_that_was_written_are_let_go_though_memory_runs_out_between_them() {
        List<Transition> endings = completes(10);
        List<Lease> released = new ArrayList<>();
        List<Lease> told = new ArrayList<>();
        AtomicInteger failures = new AtomicInteger();
        OutcomeRecorder recorder = new OutcomeRecorder(memory, () -> {}, new OutcomeRecorder.Listener() {
            @Override
            public void release(Transition ending) {
                if (released.size() == 4 && failures.incrementAndGet() <= 3) {
                    throw new OutOfMemoryError("there is none for a moment");
                }
                released.add(ending.lease());
            }

            @Override
            public void settled(Transition ending, WriteResult result) {
                told.add(ending.lease());
            }
        });
        endings.forEach(recorder::offer);

        for (int i = 0; i < 3; i++) {
            assertThrows(OutOfMemoryError.class, recorder::turn);
        }
        recorder.turn();

        List<Lease> all = endings.stream().map(Transition::lease).toList();
        assertEquals(List.of(all, all), List.of(released, told));
        assertEquals(0, recorder.waiting());
    }

    @Test
    void an_answer_that_is_stale_settles_the_lease_once_and_harms_no_other() {
        List<Transition> endings = completes(3);
        memory.cancel(endings.get(1).lease().job().id(), new OperatorNote("test", null));
        endings.forEach(recorder::offer);

        recorder.turn();
        recorder.turn();

        assertEquals(1, writes.size());
        assertEquals(endings.stream().map(Transition::lease).toList(), settled);
        assertEquals(StateName.SUCCEEDED, stateOf(endings.get(0)));
        assertEquals(StateName.CANCELLED, stateOf(endings.get(1)));
        assertEquals(StateName.SUCCEEDED, stateOf(endings.get(2)));
    }

    private void turnsUntilIdle() {
        for (int turns = 0; recorder.waiting() > 0; turns++) {
            assertTrue(turns < 500, "the recorder does not come to an end");
            recorder.turn();
        }
    }

    /** Endings of jobs that the storage has leased out. */
    private List<Transition> completes(int count) {
        for (int from = 1; from <= count; from += StorageProvider.BATCH_MAX) {
            memory.insert(IntStream.rangeClosed(from, Math.min(count, from + StorageProvider.BATCH_MAX - 1))
                    .mapToObj(OutcomeRecorderTest::job)
                    .toList());
        }
        List<Transition> endings = new ArrayList<>();
        while (endings.size() < count) {
            memory.claim(Leases.NODE, StorageProvider.BATCH_MAX)
                    .forEach(lease -> endings.add(AttemptEnd.succeeded(lease, Duration.ofMillis(1))));
        }
        return endings;
    }

    private static NewJob job(int number) {
        return new NewJob(
                JobId.of(new UUID(0, number)),
                new Invocation("com.acme.Greet", null, "{}"),
                Due.NOW,
                JobTraits.DEFAULT);
    }

    private StateName stateOf(Transition ending) {
        return memory.queries()
                .find(ending.lease().job().id())
                .orElseThrow()
                .job()
                .state()
                .name();
    }

    private Failure failureOf(Transition ending) {
        Failure why = memory.queries()
                .find(ending.lease().job().id())
                .orElseThrow()
                .history()
                .get(0)
                .why();
        assertNotNull(why);
        return why;
    }

    private static Transition poisoned(Lease lease) {
        return AttemptEnd.failed(lease, Duration.ofMillis(1), Failure.because(POISON, ""));
    }

    private static boolean isPoisoned(Transition ending) {
        Failure why = ending.why();
        return why != null && why.type().equals(POISON);
    }

    @SuppressWarnings("unchecked")
    private static List<Transition> endingsIn(Object[] arguments) {
        return (List<Transition>) arguments[0];
    }

    private static List<Transition> all(List<List<Transition>> writes) {
        return writes.stream().flatMap(List::stream).toList();
    }
}
