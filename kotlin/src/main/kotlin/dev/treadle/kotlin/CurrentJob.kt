package dev.treadle.kotlin

import dev.treadle.job.JobContext
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.currentCoroutineContext

/**
 * The job that a coroutine belongs to. [handler] and [resultHandler] put it into the coroutine context, from which every
 * coroutine of the job inherits it.
 *
 * @property job what a running job can ask for
 */
public class CurrentJob internal constructor(public val job: JobContext, internal val loop: JobLoop) :
    AbstractCoroutineContextElement(CurrentJob) {
    /** Finds it in a coroutine context. */
    public companion object Key : CoroutineContext.Key<CurrentJob>
}

/**
 * Returns the job that the calling coroutine belongs to.
 *
 * @throws IllegalStateException if it belongs to none
 */
public suspend fun currentJob(): JobContext =
    checkNotNull(currentCoroutineContext()[CurrentJob]) {
        "This coroutine belongs to no job. Call currentJob() in a suspend handler, or in a coroutine that it launched."
    }.job
