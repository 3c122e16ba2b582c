package dev.treadle.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobRequest;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Jobs that enqueue themselves for ever are found, in memory alone because that takes many of them. */
class EndlessJobsTest {
    private final AtomicReference<TreadleTest> self = new AtomicReference<>();

    record Again() implements JobRequest<Void> {}

    private TreadleTest test() {
        TreadleTest test = TreadleTest.with(treadle ->
                treadle.handler(Again.class, (again, job) -> self.get().jobs().enqueue(again)));
        self.set(test);
        return test;
    }

    @Test
    void when_jobs_are_drained() {
        try (TreadleTest test = test()) {
            test.jobs().enqueue(new Again());

            String message =
                    assertThrows(IllegalStateException.class, test::drain).getMessage();
            assertTrue(message.contains("Does a job enqueue itself again and again?"), message);
        }
    }

    @Test
    void when_they_run_inline_at_the_next_call() {
        try (TreadleTest test = test().inline()) {
            test.jobs().enqueue(new Again());

            String message =
                    assertThrows(IllegalStateException.class, test::runDueJobs).getMessage();
            assertTrue(message.startsWith("Jobs could not be run when they were enqueued: drain() ran"), message);
        }
    }
}
