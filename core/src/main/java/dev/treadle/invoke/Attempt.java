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

/** An attempt that this node is making: its thread, its deadline, and whether it should end. Thread-safe. */
public final class Attempt {
    private final Lease lease;
    /** Held while interrupting, so that an interrupt never hits a thread that has gone on to another job. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}, like the next field. */
    private @Nullable Thread thread;

    private @Nullable List<StopAction> onStop;
    /** The call that makes this attempt together with others; null if it has its thread to itself. Set before it begins. */
    private volatile @Nullable ChunkCall call;
    /** Created when the job opens its first scope, because most jobs open none. Written under the lock. */
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

    /** It is made by one call together with others. */
    void joins(ChunkCall call) {
        this.call = call;
    }

    /** Whether it is made by one call together with others. */
    boolean isInChunk() {
        return call != null;
    }

    /** What becomes of it is known before its call has ended. */
    void leavesCall() {
        ChunkCall mine = call;
        if (mine != null) {
            mine.ended(this);
        }
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

    /** User code has ended and can no longer be interrupted. */
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
     * The current stacks of its threads, its own first; empty if user code does not run.
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

    /** When the time of the attempt or of its whole job is over, whichever comes first; null if neither is limited. */
    @Nullable
    Instant timeIsOverAt() {
        Instant mine = deadline;
        Instant whole = lease.job().traits().deadline();
        return whole == null || mine != null && mine.isBefore(whole) ? mine : whole;
    }

    /** Sets its deadline. */
    public void endsBy(Instant deadline) {
        this.deadline = deadline;
    }

    /** Its deadline; null if there is none. */
    public @Nullable Instant deadline() {
        return deadline;
    }

    /** Why it should end; null while it should not. A lost lease replaces any earlier reason. */
    public @Nullable StopReason stopReason() {
        return stopReason;
    }

    /**
     * Tells it to end, without interrupting its thread: the caller runs the returned actions first, and then {@link
     * #interrupt}s.
     *
     * @return the actions that the job registered for this
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

    /** Interrupts its thread, if its code still runs and nobody else needs it, and its forks. */
    void interrupt() {
        lock.lock();
        try {
            ChunkCall mine = call;
            if (thread != null && (mine == null || mine.isToldToEnd())) {
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
     * Ends the use of scopes, because its code has ended: closes those that are open, and refuses new ones.
     *
     * @return whether that cut off forks
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
     * Registers an action for when it is told to end.
     *
     * @return null if it has already been told, so that the caller has to run the action
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
