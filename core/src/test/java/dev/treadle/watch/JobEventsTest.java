package dev.treadle.watch;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.enqueue.IdSource;
import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobTraits;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.Leases;
import dev.treadle.storage.NewJob;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** What events cost while nobody records. */
class JobEventsTest {
    private static final int JOBS = 100_000;

    private final Invocation call = new Invocation("com.acme.Go", null, "{}");
    private final Lease lease = Leases.calling(call);
    private final List<Lease> leases = List.of(lease);
    private final List<NewJob> fresh = List.of(
            new NewJob(new IdSource(Clock.systemUTC(), new Random(1)).nextJobId(), call, Due.NOW, JobTraits.DEFAULT));
    private final Transition ending = AttemptEnd.succeeded(lease, Duration.ZERO);

    @Test
    void this_jvm_has_a_flight_recorder_and_is_told() {
        assertInstanceOf(FlightEvents.class, JobEvents.ofThisJvm());
    }

    @Test
    void nothing_is_made_while_nobody_records() throws JMException {
        JobEvents events = JobEvents.ofThisJvm();
        runThrough(events);
        allocated();

        long before = allocated();
        runThrough(events);
        long bytes = allocated() - before;

        assertTrue(bytes < JOBS / 10, () -> bytes + " bytes for " + JOBS + " jobs");
    }

    private void runThrough(JobEvents events) {
        for (int i = 0; i < JOBS; i++) {
            events.enqueued(fresh);
            events.claimed(leases);
            events.finished(events.started(lease), ending);
        }
    }

    /** By this thread since it began, in bytes; asked by name, because the type belongs to a module that is not needed. */
    private static long allocated() throws JMException {
        return (long) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                        "getThreadAllocatedBytes",
                        new Object[] {Thread.currentThread().getId()},
                        new String[] {"long"});
    }
}
