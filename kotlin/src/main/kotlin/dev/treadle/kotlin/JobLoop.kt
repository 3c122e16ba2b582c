package dev.treadle.kotlin

import java.util.concurrent.LinkedBlockingQueue
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job

/**
 * Runs the coroutines of one job on the thread of the job, until the job's code and all that it has launched have ended.
 *
 * Why not `runBlocking`: when its thread is interrupted it returns while coroutines are still running, and the run of the job
 * would end before its code does.
 */
internal class JobLoop : CoroutineDispatcher() {
    private val thread: Thread = Thread.currentThread()
    private val tasks = LinkedBlockingQueue<Runnable>()

    @Volatile
    private var closed = false

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        tasks.add(block)
        if (closed) {
            passOn(context)
        }
    }

    /** Whether the calling thread is that of the job. */
    fun isHere(): Boolean = Thread.currentThread() === thread

    /**
     * Runs what is dispatched until a coroutine has ended. An interrupt cancels it, and is set again when it has ended.
     *
     * @param stopped what it is cancelled with
     */
    fun runUntilEndOf(coroutine: Job, stopped: () -> JobStoppedException) {
        coroutine.invokeOnCompletion { tasks.add(Runnable {}) }
        var interrupted = false
        while (!coroutine.isCompleted) {
            try {
                tasks.take().run()
            } catch (_: InterruptedException) {
                interrupted = true
                coroutine.cancel(stopped())
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt()
        }
    }

    /** The run has ended. What comes later, from coroutines that are not part of the job, must run somewhere. */
    fun close(context: CoroutineContext) {
        closed = true
        passOn(context)
    }

    private fun passOn(context: CoroutineContext) {
        generateSequence { tasks.poll() }.forEach { Dispatchers.Default.dispatch(context, it) }
    }
}
