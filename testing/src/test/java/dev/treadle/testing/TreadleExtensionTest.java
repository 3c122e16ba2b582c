package dev.treadle.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.JobRequest;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.RegisterExtension;

class TreadleExtensionTest {
    private static final AtomicInteger RAN = new AtomicInteger();

    @RegisterExtension
    static final TreadleExtension TREADLE =
            TreadleExtension.with(treadle -> treadle.handler(Count.class, (count, context) -> {
                RAN.incrementAndGet();
            }));

    record Count() implements JobRequest<Void> {}

    @RepeatedTest(2)
    void each_test_has_jobs_of_its_own(TreadleTest test) {
        test.assertNothingEnqueued();
        int before = RAN.get();
        test.jobs().enqueue(new Count());

        assertEquals(1, test.drain());
        assertEquals(before + 1, RAN.get());
        test.jobs().enqueue(new Count());
    }
}
