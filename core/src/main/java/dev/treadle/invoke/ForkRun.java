package dev.treadle.invoke;

import dev.treadle.admission.PermitRequester;
import dev.treadle.job.Fork;
import dev.treadle.job.JobContext;
import dev.treadle.job.ThreadStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One fork of a running job. Beside {@link JobRun}, the only class that calls user code. Fields that are not final are
 * guarded by its scope's lock.
 */
final class ForkRun<T extends @Nullable Object> implements Fork<T> {
    private final RunScope scope;
    private final String name;
    private final Callable<T> task;
    private final @Nullable Map<String, String> logging;
    private final int takenBefore;
    private final OpenScopes nested = new OpenScopes();

    private State state = State.WAITING;
    private @Nullable Thread thread;
    private boolean interrupted;
    private @Nullable T value;
    private @Nullable Throwable thrown;

    /**
     * @param logging     the logging context to run in; null if there is none
     * @param takenBefore how often its run had taken something when it was forked
     */
    ForkRun(RunScope scope, String name, Callable<T> task, @Nullable Map<String, String> logging, int takenBefore) {
        this.scope = scope;
        this.name = name;
        this.task = task;
        this.logging = logging;
        this.takenBefore = takenBefore;
    }

    @Override
    public String name() {
        return name;
    }

    /** The name of its thread while it runs. */
    String path() {
        return scope.path() + "/" + name;
    }

    /** Its identity when it acquires permits. */
    PermitRequester requester() {
        List<PermitRequester.Above> above = new ArrayList<>();
        for (ForkRun<?> fork = this; fork != null; fork = fork.scope.around()) {
            above.add(fork.scope.asAbove(fork.takenBefore));
        }
        return new PermitRequester(this, above);
    }

    /** The scopes that it has opened. */
    OpenScopes nested() {
        return nested;
    }

    @Override
    public State state() {
        return scope.locked(() -> state);
    }

    @Override
    public @Nullable Throwable exception() {
        return scope.locked(() -> thrown);
    }

    @Override
    @SuppressWarnings("NullAway") // what the task gave is what T allows
    public T get() {
        return scope.locked(() -> {
            if (state != State.SUCCEEDED) {
                throw new IllegalStateException(
                        "The fork '" + name + "' is " + state
                                + " and has nothing to give. Call join() on its scope first: it returns once all have succeeded.");
            }
            return value;
        });
    }

    /** Runs the task on this thread, which has {@linkplain #begins begun} it. Throws nothing. */
    void run() {
        T given = null;
        Throwable failed = null;
        try {
            given = call();
        } catch (Throwable any) {
            failed = any;
        } finally {
            scope.ended(this, given, failed);
        }
    }

    private T call() throws Exception {
        Thread on = Thread.currentThread();
        String nameBefore = on.getName();
        Map<String, String> loggingBefore = LoggingContext.enter(logging, name);
        JobContext.Watch current = scope.context().makeCurrent();
        boolean cutOff;
        T given;
        try {
            on.setName(path());
            given = task.call();
        } finally {
            cutOff = nested.shut();
            on.setName(nameBefore);
            current.close();
            LoggingContext.leave(logging, loggingBefore);
        }
        if (cutOff) {
            throw RunScope.cutOff(path());
        }
        return given;
    }

    // ---- called by the scope, which holds its lock ----

    void begins(Thread on) {
        thread = on;
        state = State.RUNNING;
    }

    boolean isOn(Thread other) {
        return thread == other;
    }

    /** Only of a running fork. */
    ThreadStack stack() {
        return ThreadStack.of(path(), Objects.requireNonNull(thread));
    }

    void tellToEnd() {
        if (thread == null) {
            state = State.CANCELLED;
        } else {
            interrupted = true;
            thread.interrupt();
            nested.tellToEnd();
        }
    }

    boolean wasInterrupted() {
        return interrupted;
    }

    void ends(@Nullable T given, @Nullable Throwable failed, boolean toldBefore) {
        thread = null;
        value = given;
        thrown = failed;
        if (failed == null) {
            state = State.SUCCEEDED;
        } else {
            state = toldBefore ? State.CANCELLED : State.FAILED;
        }
    }
}
