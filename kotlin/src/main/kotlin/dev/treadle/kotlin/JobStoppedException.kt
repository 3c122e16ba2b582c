package dev.treadle.kotlin

import dev.treadle.job.StopReason
import kotlinx.coroutines.CancellationException

/**
 * The coroutines of a job are cancelled with this when the job is told to stop. Like every CancellationException, it should be
 * passed on.
 *
 * @property reason why the job should end; null if its thread was interrupted by something else
 */
public class JobStoppedException internal constructor(public val reason: StopReason?) :
    CancellationException("The job was told to stop" + if (reason == null) "." else ": $reason.") {
    init {
        // by its cause Treadle tells that the job did not fail by itself
        initCause(InterruptedException("The job was told to stop."))
    }
}
