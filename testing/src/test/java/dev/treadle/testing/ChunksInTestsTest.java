package dev.treadle.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs that run in chunks, in tests of applications: docs/chunks.md. */
class ChunksInTestsTest {
    record Mail(int number) implements JobRequest<Void> {}

    record Other() implements JobRequest<Void> {}

    private final List<List<Integer>> calls = new ArrayList<>();
    private boolean fails;
    private int others;

    private final TreadleTest test =
            TreadleTest.with(treadle -> treadle.chunkHandler(Mail.class, 4, Duration.ofSeconds(30), mails -> {
                        calls.add(mails.stream()
                                .map(mail -> mail.request().number())
                                .toList());
                        if (fails) {
                            mails.get(0).fail(new IOException("full"));
                        }
                    })
                    .handler(Other.class, (other, job) -> others++));

    @AfterEach
    void close() {
        test.close();
    }

    private List<JobId> enqueue(int count) {
        return test.jobs().enqueueAll(IntStream.range(0, count).mapToObj(Mail::new));
    }

    @Test
    void what_is_due_comes_into_one_call_without_waiting_for_more() {
        enqueue(3);
        test.jobs().enqueue(new Other());

        assertEquals(4, test.runDueJobs());

        assertEquals(List.of(List.of(0, 1, 2)), calls);
        assertEquals(1, others);
        test.assertNoFailures();
        test.assertNothingEnqueued();
    }

    @Test
    void no_call_gets_more_than_the_handler_takes() {
        enqueue(10);

        assertEquals(10, test.drain());

        assertEquals(List.of(List.of(0, 1, 2, 3), List.of(4, 5, 6, 7), List.of(8, 9)), calls);
    }

    @Test
    void one_that_failed_comes_again_by_itself() {
        fails = true;
        List<JobId> ids = enqueue(3);
        test.drain();
        test.assertState(StateName.SCHEDULED, ids.get(0));
        test.assertState(StateName.SUCCEEDED, ids.get(1));

        fails = false;
        test.advance(Duration.ofHours(1));

        assertEquals(List.of(List.of(0, 1, 2), List.of(0)), calls);
        test.assertState(StateName.SUCCEEDED, ids.get(0));
    }

    @Test
    void a_crash_in_the_call_runs_all_of_it_again() {
        List<JobId> ids = enqueue(3);
        test.inject(Fault.crashAfterRun());

        test.drain();
        test.advance(Duration.ofMinutes(5));

        assertEquals(List.of(0, 1, 2), calls.get(0));
        assertEquals(
                List.of(0, 1, 2),
                calls.subList(1, calls.size()).stream()
                        .flatMap(List::stream)
                        .sorted()
                        .toList());
        ids.forEach(id -> test.assertState(StateName.SUCCEEDED, id));
    }
}
