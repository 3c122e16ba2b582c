package dev.treadle.dispatch;

import dev.treadle.storage.Lease;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A job on its way to an executor: it runs or is called off, whichever comes first. An executor may throw although it has
 * kept the task, and then the job must not run with permits that are no longer its own.
 */
final class AttemptTask implements Runnable {
    private final AttemptRunner runner;
    private final LocalQueue line;
    private final Lease lease;
    private final AtomicBoolean decided = new AtomicBoolean();

    AttemptTask(AttemptRunner runner, LocalQueue line, Lease lease) {
        this.runner = runner;
        this.line = line;
        this.lease = lease;
    }

    @Override
    public void run() {
        if (decided.compareAndSet(false, true)) {
            runner.run(line, lease);
        }
    }

    /** Whether it will never run from now on; false if it has begun. */
    boolean callOff() {
        return decided.compareAndSet(false, true);
    }
}
