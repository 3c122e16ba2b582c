package dev.treadle.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that run where they are enqueued. */
@ParameterizedClass
@EnumSource(TestStorage.class)
class InlineTest {
    private final List<String> ran = new ArrayList<>();
    private final AtomicReference<TreadleTest> self = new AtomicReference<>();
    private final TestStorage storage;
    private final TreadleTest test;

    record Say(String word) implements JobRequest<Void> {}

    record Chain(int left) implements JobRequest<Void> {}

    InlineTest(TestStorage storage) {
        this.storage = storage;
        test = storage.test(treadle -> treadle.handler(Say.class, (say, job) -> {
                            ran.add(say.word() + " on " + Thread.currentThread().getName());
                            if (say.word().isEmpty()) {
                                throw new IllegalStateException("nothing to say");
                            }
                        })
                        .handler(Chain.class, (chain, job) -> {
                            ran.add("begins " + chain.left());
                            if (chain.left() > 0) {
                                self.get().jobs().enqueue(new Chain(chain.left() - 1));
                            }
                            ran.add("ends " + chain.left());
                        }))
                .inline();
        self.set(test);
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void a_job_has_run_on_this_thread_when_enqueue_returns() {
        JobId id = test.jobs().enqueue(new Say("hello"));

        assertEquals(List.of("hello on " + Thread.currentThread().getName()), ran);
        test.assertState(StateName.SUCCEEDED, id);
    }

    @Test
    void what_a_job_enqueues_runs_after_it() {
        test.jobs().enqueue(new Chain(1));

        assertEquals(List.of("begins 1", "ends 1", "begins 0", "ends 0"), ran);
    }

    @Test
    void what_is_not_due_waits_for_its_time() {
        test.jobs().schedule(Duration.ofHours(1), new Say("later"));
        assertEquals(List.of(), ran);

        test.advance(Duration.ofHours(1));
        assertEquals(1, ran.size());
    }

    @Test
    void a_failure_stays_with_the_job() {
        JobId id = test.jobs().enqueue(new Say(""));

        test.assertState(StateName.SCHEDULED, id);
        assertThrows(AssertionError.class, test::assertNoFailures);
    }

    @Test
    void a_job_of_a_transaction_runs_after_its_commit() {
        if (storage == TestStorage.MEMORY) {
            return;
        }
        DataSource database = test.treadle().storage().dataSource().orElseThrow();

        test.jobs().transaction(database, connection -> {
            test.jobs().enqueue(new Say("committed"));
            assertEquals(List.of(), ran);
            return null;
        });

        assertEquals(1, ran.size());
    }
}
