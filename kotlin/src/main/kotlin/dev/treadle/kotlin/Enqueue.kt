package dev.treadle.kotlin

import dev.treadle.api.JobCall
import dev.treadle.api.JobScheduler
import dev.treadle.api.ServiceCall
import dev.treadle.job.JobId
import dev.treadle.job.JobRequest
import java.time.Instant
import kotlin.jvm.optionals.getOrNull
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.future.await

/** Enqueues the one call that a lambda makes: `jobs.enqueueCall { slips.generate(42) }`. The lambda itself never runs. */
public fun JobScheduler.enqueueCall(call: JobCall): JobId = enqueue(call)

/** As [enqueueCall], on a service that the activator supplies: `jobs.enqueueOn<Slips> { it.generate(42) }`. */
public fun <S : Any> JobScheduler.enqueueOn(call: ServiceCall<S>): JobId = enqueue(call)

/** As [enqueueCall]. It becomes due after this delay. */
public fun JobScheduler.scheduleCall(delay: Duration, call: JobCall): JobId = schedule(delay.toJavaDuration(), call)

/** As [enqueueCall]. It becomes due at this time. */
public fun JobScheduler.scheduleCall(at: Instant, call: JobCall): JobId = schedule(at, call)

/** Schedules a request. It becomes due after this delay. */
public fun JobScheduler.schedule(delay: Duration, request: JobRequest<*>): JobId =
    schedule(delay.toJavaDuration(), request)

/**
 * Suspends until a job has ended, and returns what it returned; null if that is nothing. Cancelling this does not cancel the
 * job. Throws what [JobScheduler.future] fails with.
 */
public suspend inline fun <reified R : Any> JobScheduler.awaitResult(id: JobId): R? =
    future(id, R::class.javaObjectType).await().getOrNull()
