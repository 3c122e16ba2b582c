package dev.treadle.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Await;
import dev.treadle.invoke.StopActions;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.Leases;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class InFlightTest {
    private static final Lease ONE = Leases.number(1);
    private static final Lease OTHER = Leases.number(2);

    private final AttemptTask one = Tasks.of(ONE);
    private final StopActions actions = new StopActions(Runnable::run);
    private final InFlight inFlight = new InFlight(new Deadlines(() -> Instant.EPOCH, actions, () -> {}));

    @Test
    void a_job_is_in_flight_from_its_claim_until_it_is_written_down() {
        inFlight.arrived(one);
        assertEquals(List.of(ONE), inFlight.all());
        assertEquals(List.of(), inFlight.running());

        inFlight.began(one);
        assertEquals(List.of(ONE), inFlight.running());

        inFlight.ended(one);
        assertEquals(List.of(), inFlight.running());
        assertEquals(1, inFlight.size());

        inFlight.recorded(ONE);
        assertEquals(0, inFlight.size());
    }

    @Test
    void two_leases_of_the_same_job_are_two_flights() {
        Lease again = new Lease(ONE.job(), ONE.token() + 1);
        inFlight.arrived(one);
        inFlight.arrived(Tasks.of(again));

        inFlight.recorded(ONE);

        assertEquals(List.of(again), inFlight.all());
    }

    @Test
    void an_ending_that_is_written_again_because_memory_ran_out_counts_once() {
        inFlight.arrived(one);
        inFlight.arrived(Tasks.of(OTHER));
        one.queue().arrived();

        inFlight.recorded(ONE);
        inFlight.recorded(ONE);

        assertEquals(1, inFlight.size());
        assertEquals(0, one.queue().held());
    }

    @Test
    void no_insert_begins_while_leases_are_about_to_be_compared() {
        assertTrue(inFlight.expect(1));
        assertFalse(inFlight.beginAdopting(), "an insert is under way");

        assertFalse(inFlight.expect(1), "or those that come one after the other would put it off for ever");
        inFlight.expectNoMore(1);
        assertTrue(inFlight.beginAdopting());
        assertFalse(inFlight.expect(1));

        inFlight.endAdopting();
        assertTrue(inFlight.expect(1));
    }

    @Test
    void waiting_ends_with_the_last_job_written_down_or_with_the_patience() throws Exception {
        inFlight.arrived(one);
        inFlight.arrived(Tasks.of(OTHER));
        assertFalse(inFlight.awaitEmpty(Duration.ofMillis(1)));
        FutureTask<Boolean> waiting = new FutureTask<>(() -> inFlight.awaitEmpty(Await.LIMIT));
        Thread waiter = new Thread(waiting, "waiter");
        waiter.start();
        Await.until("it waits", () -> waiter.getState() == Thread.State.TIMED_WAITING);

        inFlight.recorded(ONE);
        inFlight.signalIfEmpty();
        assertFalse(waiting.isDone());
        inFlight.recorded(OTHER);
        inFlight.signalIfEmpty();

        assertTrue(waiting.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertTrue(inFlight.awaitEmpty(Duration.ZERO));
    }

    @Test
    void only_a_job_that_runs_is_interrupted() throws InterruptedException {
        Sluggish thread = new Sluggish(() -> inFlight.began(one));
        inFlight.arrived(one);
        inFlight.arrived(Tasks.of(OTHER));
        inFlight.interruptAll(actions);
        assertEquals(2, thread.mayGoOn.getCount(), "nothing runs yet");
        thread.mayGoOn.countDown();
        thread.mayGoOn.countDown();
        thread.start();
        thread.join();

        inFlight.interruptAll(actions);
        assertEquals(1, thread.interrupts());

        inFlight.ended(one);
        inFlight.interruptAll(actions);
        assertEquals(1, thread.interrupts(), "it has ended");
    }

    @Test
    void an_interrupt_never_hits_a_thread_that_has_gone_on_to_another_job() throws InterruptedException {
        inFlight.arrived(one);
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Sluggish job = new Sluggish(() -> {
            inFlight.began(one);
            began.countDown();
            Sluggish.await(mayEnd);
            inFlight.ended(one);
        });
        job.start();
        Sluggish.await(began);
        Thread interrupter = new Thread(() -> inFlight.interruptAll(actions), "interrupter");
        interrupter.start();
        Await.until("the interrupt is under way", () -> job.mayGoOn.getCount() == 1);

        mayEnd.countDown();
        Await.until("the job wants to end", () -> isBlocked(job) || !job.isAlive());

        assertTrue(job.isAlive(), "the job went on while an interrupt meant for it was still under way");
        job.mayGoOn.countDown();
        job.join();
        interrupter.join();
        assertEquals(1, job.interrupts());
    }

    private static boolean isBlocked(Sluggish job) {
        return job.ending() && job.getState() == Thread.State.WAITING;
    }

    /** A thread whose interruption takes its time. */
    private static final class Sluggish extends Thread {
        /** 2 before an interrupt, 1 while it is under way, 0 when it may take effect. */
        final CountDownLatch mayGoOn = new CountDownLatch(2);

        private volatile int interrupts;

        Sluggish(Runnable work) {
            super(work, "job");
        }

        @Override
        @SuppressWarnings("NonAtomicOperationOnVolatileField")
        public void interrupt() {
            mayGoOn.countDown();
            await(mayGoOn);
            interrupts++;
        }

        int interrupts() {
            return interrupts;
        }

        /** Its code is beyond the point where it waits to be told to end. */
        boolean ending() {
            for (StackTraceElement frame : getStackTrace()) {
                if (frame.getMethodName().equals("ended")) {
                    return true;
                }
            }
            return false;
        }

        static void await(CountDownLatch latch) {
            try {
                assertTrue(latch.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
