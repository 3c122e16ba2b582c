package dev.treadle.dispatch;

import dev.treadle.invoke.Attempt;
import dev.treadle.invoke.StopActions;
import dev.treadle.job.JobId;
import dev.treadle.job.StopReason;
import dev.treadle.job.ThreadStack;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
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

/** The jobs that this node has claimed and whose ending is not recorded yet: waiting, running or ended. Thread-safe. */
public final class InFlight {
    /** By run and not by job: this node may claim a job again while an earlier run that lost its lease goes on. */
    private final Map<RunId, AttemptTask> tasks = new ConcurrentHashMap<>();
    /** How many these are. Why not the map's own count: that is lost where memory runs out while it is kept. */
    private final AtomicInteger count = new AtomicInteger();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition emptied = lock.newCondition();
    private final Deadlines deadlines;
    /** How many jobs are being inserted with a lease for this node; {@link #ADOPTING} while leases are compared. */
    private final AtomicInteger expected = new AtomicInteger();
    /** Leases are to be compared as soon as no insert is under way; no insert begins until then. */
    private volatile boolean adoptingSoon;

    private static final int ADOPTING = -1;

    /** The highest number of stacks reported for one run, because a job may have thousands of forks. */
    public static final int STACKS_MAX = 100;

    /** @param deadlines is told when attempts begin and end */
    public InFlight(Deadlines deadlines) {
        this.deadlines = deadlines;
    }

    /**
     * Announces jobs that are about to be inserted with a lease for this node, so that their leases are not taken for lost
     * ones.
     *
     * @return false while this node looks for lost leases, or is about to
     */
    boolean expect(int jobs) {
        return !adoptingSoon && expected.getAndUpdate(now -> now == ADOPTING ? now : now + jobs) != ADOPTING;
    }

    /** Announced jobs have {@linkplain #arrived arrived}, or will not. */
    void expectNoMore(int jobs) {
        expected.addAndGet(-jobs);
        signalIfEmpty();
    }

    /**
     * Begins to look for leases that this node does not know about.
     *
     * @return false while announced jobs are being inserted
     */
    boolean beginAdopting() {
        adoptingSoon = true;
        return expected.compareAndSet(0, ADOPTING);
    }

    void endAdopting() {
        expected.set(0);
        adoptingSoon = false;
    }

    /** @return false if the job was in flight already */
    boolean arrived(AttemptTask task) {
        RunId run = RunId.of(task.lease());
        boolean kept = false;
        try {
            boolean fresh = tasks.putIfAbsent(run, task) == null;
            kept = true;
            if (fresh) {
                count.incrementAndGet();
            }
            return fresh;
        } finally {
            if (!kept) {
                // memory ran out while the map counted the entry; a half-added entry would stay forever
                tasks.remove(run, task);
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
                // otherwise an interrupt meant for this job could hit the next one on its thread
                NoMemory.rest();
            }
        }
        deadlines.ended(task.attempt());
    }

    /** The attempt under that lease; null if it is not in flight. */
    @Nullable
    Attempt find(RunId run) {
        AttemptTask task = tasks.get(run);
        return task == null ? null : task.attempt();
    }

    /** All attempts in flight. */
    Collection<AttemptTask> tasks() {
        return tasks.values();
    }

    /**
     * The job's ending has been recorded. It is called again if it ran out of memory. The caller must {@linkplain
     * #signalIfEmpty signal} next.
     */
    void recorded(Lease lease) {
        RunId run = RunId.of(lease);
        AttemptTask task = tasks.get(run);
        if (task != null) {
            if (task.markRecorded()) {
                task.left();
                count.decrementAndGet();
            }
            tasks.remove(run, task);
        }
    }

    /** Wakes threads in {@link #awaitEmpty} if nothing is in flight. */
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
     * @return whether nothing was in flight before the time was over
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

    /** How many jobs are in flight, including those that are being inserted. */
    public int size() {
        return count.get() + Math.max(0, expected.get());
    }

    /** The leases of all jobs in flight. */
    public List<Lease> all() {
        return attempts().map(Attempt::lease).toList();
    }

    /** The leases of jobs whose user code is running now. */
    public List<Lease> running() {
        return attempts().filter(Attempt::isRunning).map(Attempt::lease).toList();
    }

    /** The stacks of a job's threads, first its own and then those of its forks; empty if the job does not run here. */
    public List<ThreadStack> stacksOf(JobId id) {
        return attempts()
                .filter(attempt -> attempt.lease().job().id().equals(id))
                .flatMap(attempt -> attempt.stacks(STACKS_MAX).stream())
                .toList();
    }

    /** Tells every job that its server stops, and interrupts those that are running. */
    public void interruptAll(StopActions actions) {
        attempts().forEach(attempt -> actions.stop(attempt, StopReason.SERVER_STOPS));
    }

    private Stream<Attempt> attempts() {
        return tasks.values().stream().map(AttemptTask::attempt);
    }

    Set<RunId> snapshot() {
        return new HashSet<>(tasks.keySet());
    }
}
