package dev.treadle.dispatch;

import dev.treadle.lifecycle.Lease;
import java.time.Clock;
import java.util.List;

/** Attempts of tests in which nothing runs them. */
final class Tasks {
    private Tasks() {}

    static AttemptTask of(Lease lease) {
        WorkerPool pool = new WorkerPool(Runnable::run, 1);
        return of(new LocalQueues(pool, List.of(), Clock.systemUTC()).of("q"), lease);
    }

    static AttemptTask of(LocalQueue queue, Lease lease) {
        return new AttemptTask(unrun -> {}, queue, lease);
    }
}
