package dev.treadle.invoke;

import dev.treadle.job.JobContext.StopAction;
import dev.treadle.job.JobContext.Watch;
import dev.treadle.job.StopReason;
import dev.treadle.job.ThreadStack;
import dev.treadle.lifecycle.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One attempt under way on this node: on which thread, until when, and whether it should end. Thread-safe. */
public final class Attempt {
    private final Lease lease;
    /** Held while interrupting, so that an interrupt never hits a thread that has gone on to another job. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}, as is the next. */
    private @Nullable Thread thread;

    private @Nullable List<StopAction> onStop;
    /** Made when the job first opens one: most never do. Written under the lock. */
    private volatile @Nullable OpenScopes scopes;
    /** Guarded by {@link #lock}. */
    private boolean shut;

    private volatile @Nullable StopReason stopReason;
    private volatile @Nullable Instant deadline;

    /** An attempt that has not begun. */
    public Attempt(Lease lease) {
        this.lease = lease;
    }

    /** The job and its lease. */
    public Lease lease() {
        return lease;
    }

    /** User code begins on this thread. */
    public void begins(Thread on) {
        lock.lock();
        try {
            thread = on;
        } finally {
            lock.unlock();
        }
    }

    /** User code has ended; from then on it can no longer be interrupted. */
    public void ends() {
        lock.lock();
        try {
            thread = null;
            onStop = null;
        } finally {
            lock.unlock();
        }
    }

    /** Whether user code runs now. */
    public boolean isRunning() {
        lock.lock();
        try {
            return thread != null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Where its threads stand now, its own first; empty if user code does not run.
     *
     * @param max how many threads to look at
     */
    public List<ThreadStack> stacks(int max) {
        List<ThreadStack> stacks = new ArrayList<>();
        lock.lock();
        try {
            if (thread == null) {
                return stacks;
            }
            stacks.add(ThreadStack.of(RunScope.nameOf(lease.job().id()), thread));
        } finally {
            lock.unlock();
        }
        OpenScopes open = scopes;
        if (open != null) {
            open.stacks(stacks, max);
        }
        return stacks;
    }

    /** It may run until then. */
    public void endsBy(Instant deadline) {
        this.deadline = deadline;
    }

    /** Until when it may run; null if there is no limit. */
    public @Nullable Instant deadline() {
        return deadline;
    }

    /** Why it should end; null while it should not. The loss of the lease outweighs what was said before. */
    public @Nullable StopReason stopReason() {
        return stopReason;
    }

    /**
     * Tells it to end. Its thread is not interrupted by that: the caller does what is returned, and then {@link #interrupt}s.
     *
     * @return what it wanted to be done then
     */
    List<StopAction> tellToEnd(StopReason why) {
        lock.lock();
        try {
            if (stopReason == null || why == StopReason.LEASE_LOST) {
                stopReason = why;
            }
            List<StopAction> actions = thread == null || onStop == null ? List.of() : onStop;
            onStop = null;
            return actions;
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts its thread, if its code still runs, and its forks. */
    void interrupt() {
        lock.lock();
        try {
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
        OpenScopes open = scopes;
        if (open != null) {
            open.tellToEnd();
        }
    }

    /** The scopes that its code has opened. */
    OpenScopes scopes() {
        lock.lock();
        try {
            OpenScopes known = scopes;
            if (known == null) {
                known = new OpenScopes();
                scopes = known;
                if (stopReason != null) {
                    known.tellToEnd();
                }
                if (shut) {
                    known.shut();
                }
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** The fork whose code this thread runs; null if it runs the job's own. */
    @Nullable
    ForkRun<?> forkOn(Thread thread) {
        OpenScopes open = scopes;
        return open == null ? null : open.forkOn(thread);
    }

    /**
     * Its code has ended: closes what it left open, and lets nothing be opened any more.
     *
     * @return whether forks were cut off by that
     */
    boolean shutScopes() {
        OpenScopes open;
        lock.lock();
        try {
            shut = true;
            open = scopes;
        } finally {
            lock.unlock();
        }
        // without the lock: this waits for forks
        return open != null && open.shut();
    }

    /**
     * Remembers what to do when it is told to end.
     *
     * @return null if it has been told already, and the caller has to do it
     */
    @Nullable
    Watch onStop(StopAction action) {
        lock.lock();
        try {
            if (stopReason != null) {
                return null;
            }
            if (onStop == null) {
                onStop = new ArrayList<>();
            }
            onStop.add(action);
        } finally {
            lock.unlock();
        }
        return () -> forget(action);
    }

    private void forget(StopAction action) {
        lock.lock();
        try {
            if (onStop != null) {
                onStop.remove(action);
            }
        } finally {
            lock.unlock();
        }
    }
}
