package dev.treadle.kotlin

import dev.treadle.Treadle
import dev.treadle.job.JobContext
import dev.treadle.job.JobRequest
import dev.treadle.job.JobRequestHandler
import dev.treadle.job.ResultHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async

/**
 * Runs all jobs of a request type with this suspending code: `handler<Mail> { mail, job -> … }`.
 *
 * It runs on the job's thread, which it holds while it suspends, and so do the coroutines that it launches, unless they ask
 * for another dispatcher. The run ends when all of them have. When the job is told to stop, they are cancelled with a
 * [JobStoppedException]. Each has a [CurrentJob] and the logging context of the job.
 */
public inline fun <reified T : JobRequest<Void>> Treadle.Builder.handler(
    noinline run: suspend (request: T, job: JobContext) -> Unit
): Treadle.Builder = handler(T::class.java, suspending(run))

/**
 * Runs all jobs of a request type with this suspending code, and keeps what it returns:
 * `resultHandler<Add, Int> { add, job -> add.a + add.b }`. It runs as with [handler].
 */
public inline fun <reified T : JobRequest<R>, R : Any> Treadle.Builder.resultHandler(
    noinline run: suspend (request: T, job: JobContext) -> R?
): Treadle.Builder = resultHandler(T::class.java, suspendingResult(run))

/** The same as a handler of its own, for what wants one, such as dependency injection. */
public fun <T : JobRequest<Void>> suspending(
    run: suspend (request: T, job: JobContext) -> Unit
): JobRequestHandler<T> = JobRequestHandler { request, job -> runJob(job) { run(request, job) } }

/** The same as a handler of its own that returns something. */
public fun <T : JobRequest<R>, R : Any> suspendingResult(
    run: suspend (request: T, job: JobContext) -> R?
): ResultHandler<T, R> = ResultHandler { request, job -> runJob(job) { run(request, job) } }

private fun <R> runJob(job: JobContext, work: suspend () -> R): R {
    val loop = JobLoop()
    val context = loop + CurrentJob(job, loop) + LoggingContext.taken()
    val run = CoroutineScope(context).async { work() }
    val stopped = { JobStoppedException(job.stopReason()) }
    try {
        job.onStop { run.cancel(stopped()) }.use { loop.runUntilEndOf(run, stopped) }
    } finally {
        loop.close(context)
    }
    return run.ended()
}

/** What it returned or threw. Not `await`: that may throw a copy of the exception. */
@OptIn(ExperimentalCoroutinesApi::class)
internal fun <R> Deferred<R>.ended(): R {
    getCompletionExceptionOrNull()?.let { throw it }
    return getCompleted()
}
