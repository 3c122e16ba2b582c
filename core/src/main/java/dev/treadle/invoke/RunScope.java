package dev.treadle.invoke;

import dev.treadle.admission.PermitRequester;
import dev.treadle.job.Fork;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobScope;
import dev.treadle.job.ThreadStack;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The forks of one block of a running job. The joining thread and the threads lent to the scope take waiting forks
 * until none is left. Called by the owner's thread, by the threads of forks, and by threads that tell the job to end.
 */
final class RunScope implements JobScope {
    private final OpenScopes among;
    private final String path;
    /** The fork whose code opened this scope; null if the job's own code did. */
    private final @Nullable ForkRun<?> around;

    private final Run run;
    private final Thread owner = Thread.currentThread();
    private final String nameBefore = owner.getName();

    /**
     * Held while interrupting, so that an interrupt never hits a thread that already works for another fork. Locked
     * from outer to inner scopes.
     */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition oneEnded = lock.newCondition();
    /** Guarded by {@link #lock}, like the fields below. */
    private final Deque<ForkRun<?>> waiting = new ArrayDeque<>();

    private final List<ForkRun<?>> running = new ArrayList<>();
    private int forks;
    /** How many threads were lent and have not arrived yet. */
    private int coming;

    private @Nullable Throwable failure;
    /** Whether no further fork may start: one has failed, or the scope is closed or told to end. */
    private boolean cancelled;
    /** Whether the job, or the fork that opened this scope, was told to end. */
    private boolean told;

    private boolean unjoined;
    private boolean closed;

    /**
     * Whether the code that opened it waits for the forks, and so returns none of its permits before they have ended.
     */
    private volatile boolean ownerWaits;

    private RunScope(OpenScopes among, @Nullable ForkRun<?> around, Run run) {
        this.among = among;
        this.around = around;
        this.path = around == null ? nameOf(run.jobId()) : around.path();
        this.run = run;
    }

    /**
     * Opens a scope on this thread. The thread has the path as its name until the scope ends.
     *
     * @param all    the scopes that the run's own code has opened
     * @param around the fork whose code opens it; null if the job's own code does
     */
    static RunScope open(OpenScopes all, @Nullable ForkRun<?> around, Run run) {
        OpenScopes among = around == null ? all : around.nested();
        RunScope scope = new RunScope(among, around, run);
        among.add(scope);
        scope.owner.setName(scope.path);
        return scope;
    }

    /** The message about forks that were never joined. */
    static IllegalStateException cutOff(String where) {
        return new IllegalStateException("A scope of " + where + " was left without join(), so its forks were"
                + " interrupted or never begun. Call scope.join() before the end of its block.");
    }

    /** The name of a job's thread while one of its scopes is open. */
    static String nameOf(JobId job) {
        return "job-" + job;
    }

    /** What its forks can ask, as all code of the job can. */
    JobContext context() {
        return run;
    }

    /** The beginning of its forks' names. */
    String path() {
        return path;
    }

    /** The fork whose code has opened it; null if the job's own has. */
    @Nullable
    ForkRun<?> around() {
        return around;
    }

    /** The code that has opened it, for one of its forks, which is forked when so much was taken. */
    PermitRequester.Above asAbove(int takenBefore) {
        return new PermitRequester.Above(around == null ? owner : around, takenBefore, () -> ownerWaits);
    }

    <T extends @Nullable Object> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    // ---- the owner ----

    @Override
    public <T extends @Nullable Object> Fork<T> fork(String name, Callable<T> task) {
        checkName(name);
        ForkRun<T> fork =
                new ForkRun<>(this, name, task, run.hasLoggingContext() ? LoggingContext.copy() : null, run.taken());
        lock.lock();
        try {
            checkOwner();
            if (forks == FORKS_MAX) {
                throw new IllegalStateException("This scope of " + path + " has " + FORKS_MAX
                        + " forks, and no scope may have more. Fork in rounds, each in a scope of its own.");
            }
            forks++;
            unjoined = true;
            if (cancelled) {
                fork.tellToEnd();
                return fork;
            }
            waiting.add(fork);
        } finally {
            lock.unlock();
        }
        borrow(0);
        return fork;
    }

    private static void checkName(String name) {
        boolean printable = name.chars().noneMatch(c -> c == '/' || Character.isISOControl(c));
        if (name.isBlank() || name.length() > NAME_CHARS_MAX || !printable) {
            throw new IllegalArgumentException("A fork's name must be 1 to " + NAME_CHARS_MAX
                    + " printable characters without '/', and this one is \"" + name + "\".");
        }
    }

    private void checkOwner() {
        if (closed) {
            throw new IllegalStateException("This scope of " + path + " is closed. Open another one.");
        }
        Thread caller = Thread.currentThread();
        // a fork is not the owner, even if it runs on the owner's thread
        if (caller != owner || running.stream().anyMatch(fork -> fork.isOn(caller))) {
            throw new IllegalStateException("This scope of " + path + " is used by the code that opened it, and by no"
                    + " fork or other thread. Open one of your own with JobContext.scope().");
        }
    }

    /** Asks for threads while more forks wait than threads are coming. The owner runs {@code own} of them itself. */
    private void borrow(int own) {
        while (locked(() -> waiting.size() - own > coming && ++coming > 0)) {
            boolean lent = false;
            try {
                lent = run.threads().lend(this::runWaiting);
            } finally {
                if (!lent) {
                    locked(() -> --coming);
                }
            }
            if (!lent) {
                return;
            }
        }
    }

    @Override
    public void join() throws Exception {
        locked(() -> {
            checkOwner();
            return unjoined = false;
        });
        boolean undisturbed = false;
        try {
            ownerWaits();
            for (ForkRun<?> next; (next = nextToJoin()) != null; ) {
                next.run();
                keepInterrupt(next);
            }
            undisturbed = true;
        } finally {
            ownerWaits = false;
            if (!undisturbed) {
                tellToEnd();
            }
        }
        Throwable why = locked(() -> failure);
        if (why instanceof Error error) {
            throw error;
        }
        if (why != null) {
            throw why instanceof Exception exception ? exception : new IllegalStateException(why);
        }
        if (locked(() -> told)) {
            throw new InterruptedException("The job was told to end while its forks ran.");
        }
    }

    private void ownerWaits() {
        ownerWaits = true;
        run.codeWaits();
    }

    /** An interrupt that was meant for the fork must not reach its owner; any other must. */
    private void keepInterrupt(ForkRun<?> ran) {
        if (Thread.interrupted() && !locked(ran::wasInterrupted)) {
            owner.interrupt();
        }
    }

    /** The next fork to run on this thread; null once all have ended. */
    private @Nullable ForkRun<?> nextToJoin() throws InterruptedException {
        borrow(1);
        lock.lockInterruptibly();
        try {
            ForkRun<?> next;
            while ((next = begin()) == null && !running.isEmpty()) {
                oneEnded.await();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        if (locked(() -> {
            if (!closed) {
                checkOwner();
            }
            return !closed;
        })) {
            if (end()) {
                throw cutOff(path);
            }
        }
    }

    /**
     * Interrupts running forks and waits for their end.
     *
     * @return whether forks that were never joined were cut off, although the job was not told to end
     */
    boolean end() {
        boolean cutOff;
        ownerWaits();
        lock.lock();
        try {
            closed = true;
            cutOff = unjoined && !told;
            unjoined = false;
            cancel();
            while (!running.isEmpty()) {
                oneEnded.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        among.remove(this);
        if (Thread.currentThread() == owner) {
            owner.setName(nameBefore);
        }
        return cutOff;
    }

    // ---- threads of forks ----

    private void runWaiting() {
        locked(() -> --coming);
        for (ForkRun<?> next; (next = locked(this::begin)) != null; ) {
            next.run();
            // an interrupt that was meant for this fork must not reach the next one on this thread
            Thread.interrupted();
        }
    }

    private @Nullable ForkRun<?> begin() {
        ForkRun<?> next = waiting.poll();
        if (next != null) {
            next.begins(Thread.currentThread());
            running.add(next);
        }
        return next;
    }

    <T extends @Nullable Object> void ended(ForkRun<T> fork, @Nullable T value, @Nullable Throwable thrown) {
        lock.lock();
        try {
            running.remove(fork);
            fork.ends(value, thrown, cancelled);
            if (thrown != null && !cancelled) {
                failure = thrown;
                cancel();
            }
            oneEnded.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- any thread ----

    /** Tells all forks to end, because the job, or the fork that opened this scope, was told to. */
    void tellToEnd() {
        locked(() -> {
            told = true;
            cancel();
            return true;
        });
    }

    private void cancel() {
        cancelled = true;
        waiting.forEach(ForkRun::tellToEnd);
        waiting.clear();
        running.forEach(ForkRun::tellToEnd);
    }

    /** The innermost fork that runs on a thread; null if none does. */
    @Nullable
    ForkRun<?> forkOn(Thread thread) {
        return locked(() -> {
            for (ForkRun<?> fork : running) {
                ForkRun<?> inner = fork.nested().forkOn(thread);
                if (inner != null || fork.isOn(thread)) {
                    return inner != null ? inner : fork;
                }
            }
            return null;
        });
    }

    /**
     * Adds the stacks of its forks' threads, up to a limit. Holds the lock, so that no thread goes on to another fork.
     */
    void stacks(List<ThreadStack> stacks, int max) {
        lock.lock();
        try {
            for (ForkRun<?> fork : running) {
                if (stacks.size() >= max) {
                    return;
                }
                stacks.add(fork.stack());
                fork.nested().stacks(stacks, max);
            }
        } finally {
            lock.unlock();
        }
    }
}
