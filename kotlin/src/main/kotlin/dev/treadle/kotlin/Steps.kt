package dev.treadle.kotlin

import dev.treadle.job.JobContext
import dev.treadle.job.StepCall
import dev.treadle.job.StepType
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.runBlocking

/**
 * Does something once in the life of the job, as [JobContext.step], with code that may suspend:
 *
 * ```
 * val paid = job.suspendStep("pay") { bank.charge(order) }
 * ```
 */
public suspend inline fun <reified R : Any> JobContext.suspendStep(name: String, noinline work: suspend () -> R): R =
    stepOf(this, name, object : StepType<R>() {}, work)

@PublishedApi
internal suspend fun <R : Any> stepOf(job: JobContext, name: String, type: StepType<R>, work: suspend () -> R): R {
    val context = currentCoroutineContext()
    // why a supervisor: code that catches what the step throws goes on
    val guard = SupervisorJob(context[Job])
    try {
        return job.step(name, type, StepCall {
            val part = CoroutineScope(context + guard).async { work() }
            val loop = context[CurrentJob]?.loop
            if (loop != null && loop.isHere()) {
                loop.runUntilEndOf(part) { JobStoppedException(job.stopReason()) }
            } else {
                runBlocking { part.join() }
            }
            part.ended()
        })
    } finally {
        guard.complete()
    }
}
