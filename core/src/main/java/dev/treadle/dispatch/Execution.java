package dev.treadle.dispatch;

import dev.treadle.invoke.JobRun;
import dev.treadle.outcome.NextState;
import dev.treadle.outcome.Recording;
import dev.treadle.watch.FailureLog;
import dev.treadle.watch.JobEvents;
import java.util.function.DoubleSupplier;

/**
 * What happens to a job once it has a thread: user code runs, its next state is decided, the ending is recorded.
 *
 * @param run       runs user code
 * @param next      decides what follows
 * @param recording writes the endings
 * @param random    the jitter of retries, from 0 (inclusive) to 1 (exclusive)
 * @param events    is told of claims, starts and ends
 * @param failures  logs the attempts that failed
 */
public record Execution(
        JobRun run,
        NextState next,
        Recording recording,
        DoubleSupplier random,
        JobEvents events,
        FailureLog failures) {}
