package dev.treadle.dispatch;

import dev.treadle.invoke.Attempt;
import dev.treadle.invoke.StopActions;
import dev.treadle.job.JobId;
import dev.treadle.job.StopReason;
import dev.treadle.job.ThreadStack;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.RunId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What this node has claimed and not yet written down: waiting, running or ended. Thread-safe. */
public final class InFlight {
    /** By run and not by job: a job may be claimed again here while a run that lost its lease goes on. */
    private final Map<RunId, AttemptTask> flights = new ConcurrentHashMap<>();
    /** How many these are. Why not the map's own count: that is lost where memory runs out while it is kept. */
    private final AtomicInteger count = new AtomicInteger();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition emptied = lock.newCondition();
    private final Deadlines deadlines;
    /** Jobs being inserted with a lease for this node; {@link #ADOPTING} while leases are compared. */
    private final AtomicInteger expected = new AtomicInteger();
    /** Leases are to be compared as soon as no insert is under way; none begins until then. */
    private volatile boolean adoptingSoon;

    private static final int ADOPTING = -1;

    /** Most threads of one run whose stacks are told: a job may have thousands of forks. */
    public static final int STACKS_MAX = 100;

    /** @param deadlines told of attempts that begin and end */
    public InFlight(Deadlines deadlines) {
        this.deadlines = deadlines;
    }

    /**
     * Says that jobs are about to be inserted with a lease for this node, which must not be taken for lost ones.
     *
     * @return false while lost ones are being looked for, or are about to be
     */
    boolean expect(int jobs) {
        return !adoptingSoon && expected.getAndUpdate(now -> now == ADOPTING ? now : now + jobs) != ADOPTING;
    }

    /** Those jobs have {@linkplain #arrived arrived} or will not. */
    void expectNoMore(int jobs) {
        expected.addAndGet(-jobs);
        signalIfEmpty();
    }

    /**
     * Begins to look for leases that this node does not know of.
     *
     * @return false while some are expected
     */
    boolean beginAdopting() {
        adoptingSoon = true;
        return expected.compareAndSet(0, ADOPTING);
    }

    void endAdopting() {
        expected.set(0);
        adoptingSoon = false;
    }

    /** @return false if it was in flight before */
    boolean arrived(AttemptTask task) {
        RunId run = RunId.of(task.lease());
        boolean kept = false;
        try {
            boolean fresh = flights.putIfAbsent(run, task) == null;
            kept = true;
            if (fresh) {
                count.incrementAndGet();
            }
            return fresh;
        } finally {
            if (!kept) {
                // for want of memory to count it: half there would be there for good
                flights.remove(run, task);
            }
        }
    }

    /** Called on the job's thread before user code. */
    void began(AttemptTask task) {
        task.attempt().begins(Thread.currentThread());
        deadlines.began(task.attempt());
    }

    /** Called on the job's thread after user code; from then on the job can no longer be interrupted. */
    void ended(AttemptTask task) {
        while (true) {
            try {
                task.attempt().ends();
                break;
            } catch (OutOfMemoryError e) {
                // an interrupt that is meant for this job would hit another one on its thread
                NoMemory.rest();
            }
        }
        deadlines.ended(task.attempt());
    }

    /** The attempt under that lease; null if it is not in flight. */
    @Nullable
    Attempt find(RunId run) {
        AttemptTask task = flights.get(run);
        return task == null ? null : task.attempt();
    }

    /** Each that is in flight. */
    Collection<AttemptTask> tasks() {
        return flights.values();
    }

    /** The job's ending is written down. May be called again, and is if it runs out of memory. The caller {@linkplain #signalIfEmpty signals} next. */
    void written(Lease lease) {
        RunId run = RunId.of(lease);
        AttemptTask task = flights.get(run);
        if (task != null) {
            if (task.write()) {
                task.line().written();
                count.decrementAndGet();
            }
            flights.remove(run, task);
        }
    }

    /** Wakes the threads that wait for that. */
    void signalIfEmpty() {
        if (size() == 0) {
            lock.lock();
            try {
                emptied.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Waits until nothing is in flight.
     *
     * @return whether that came about in time
     */
    public boolean awaitEmpty(Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        lock.lockInterruptibly();
        try {
            while (size() > 0 && left > 0) {
                left = emptied.awaitNanos(left);
            }
            return size() == 0;
        } finally {
            lock.unlock();
        }
    }

    /** How many jobs are in flight, those included whose insert is under way. */
    public int size() {
        return count.get() + Math.max(0, expected.get());
    }

    /** Every lease in flight. */
    public List<Lease> all() {
        return attempts().map(Attempt::lease).toList();
    }

    /** Jobs whose user code runs now. */
    public List<Lease> running() {
        return attempts().filter(Attempt::isRunning).map(Attempt::lease).toList();
    }

    /** Where the threads of a job's user code stand now, its forks' after its own; empty if the job does not run here. */
    public List<ThreadStack> stacksOf(JobId id) {
        return attempts()
                .filter(flight -> flight.lease().job().id().equals(id))
                .flatMap(flight -> flight.stacks(STACKS_MAX).stream())
                .toList();
    }

    /** Tells every job that its server stops, and interrupts those whose user code runs now. */
    public void interruptAll(StopActions actions) {
        attempts().forEach(attempt -> actions.stop(attempt, StopReason.SERVER_STOPS));
    }

    private Stream<Attempt> attempts() {
        return flights.values().stream().map(AttemptTask::attempt);
    }

    Set<RunId> snapshot() {
        return new HashSet<>(flights.keySet());
    }
}
