package dev.treadle.kotlin

import dev.treadle.Treadle
import dev.treadle.api.JobOptions
import dev.treadle.job.HistoryEntry.Event
import dev.treadle.job.JobId
import dev.treadle.job.JobRequest
import dev.treadle.job.RetryPolicy
import dev.treadle.job.StateName
import dev.treadle.job.StopReason
import dev.treadle.server.JobServerSettings
import dev.treadle.storage.memory.InMemoryStorageProvider
import java.time.Duration
import java.util.concurrent.CountDownLatch
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit.SECONDS
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Coroutines end when their job is told to stop. */
class StopTest {
    data class Endless(val where: String) : JobRequest<Void>

    private val begun = CountDownLatch(1)
    private val ended = LinkedBlockingQueue<String>()
    private val storage = InMemoryStorageProvider()

    private fun start(patience: Duration = Duration.ofSeconds(20)): Treadle =
        Treadle.on(storage)
            .settings(JobServerSettings.DEFAULT.withStopPatience(patience))
            .handler<Endless> { endless, _ ->
                when (endless.where) {
                    "suspended" -> endless()
                    "elsewhere" -> withContext(Dispatchers.IO) { endless() }
                    "launched" -> coroutineScope { launch(Dispatchers.Default) { endless() } }
                    "blocking" -> blocking()
                }
            }
            .start()

    private suspend fun endless() {
        begun.countDown()
        try {
            awaitCancellation()
        } catch (e: JobStoppedException) {
            // the run must not end before this has: it is part of the job
            withContext(NonCancellable) { delay(200) }
            ended += "${e.reason}"
            throw e
        }
    }

    private fun blocking() {
        begun.countDown()
        try {
            Thread.sleep(600_000)
        } catch (e: InterruptedException) {
            ended += "interrupted"
            throw e
        }
    }

    private fun stateOf(treadle: Treadle, id: JobId): StateName =
        treadle.jobs().find(id).orElseThrow().job().state().name()

    @Test
    fun `cancelling a job cancels what it suspends in, wherever that runs`() {
        for (where in listOf("suspended", "elsewhere", "launched")) {
            StopTest().cancelled(where, "${StopReason.LEASE_LOST}")
        }
    }

    @Test
    fun `code that blocks is interrupted`() {
        cancelled("blocking", "interrupted")
    }

    private fun cancelled(where: String, expected: String) {
        start().use { treadle ->
            val id = treadle.jobs().enqueue(Endless(where))
            assertTrue(begun.await(60, SECONDS))

            treadle.jobs().cancel(id, "a test", null)

            assertEquals(expected, ended.poll(60, SECONDS))
            assertEquals(StateName.CANCELLED, stateOf(treadle, id))
            // the run has ended only when its coroutines have
            val server = treadle.server().orElseThrow()
            val until = System.nanoTime() + SECONDS.toNanos(60)
            while (server.running() > 0 && System.nanoTime() < until) {
                Thread.onSpinWait()
            }
            assertEquals(0, server.running())
        }
    }

    @Test
    fun `a timeout cancels it, and the attempt counts`() {
        start().use { treadle ->
            val options = JobOptions.DEFAULT.withTimeout(Duration.ofMillis(300)).withRetries(RetryPolicy.NEVER)
            val id = treadle.jobs().with(options).enqueue(Endless("suspended"))

            assertEquals("${StopReason.TIMED_OUT}", ended.poll(60, SECONDS))
            val until = System.nanoTime() + SECONDS.toNanos(60)
            while (stateOf(treadle, id) == StateName.PROCESSING && System.nanoTime() < until) {
                Thread.onSpinWait()
            }
            val entry = treadle.jobs().find(id).orElseThrow().history().last()
            assertEquals(Event.THREW, entry.event())
            assertTrue(entry.why().toString().contains("JobTimeoutException"), entry.why().toString())
        }
    }

    @Test
    fun `a server that stops gives the job back, and the attempt does not count`() {
        val treadle = start(Duration.ofMillis(100))
        val id = treadle.jobs().enqueue(Endless("elsewhere"))
        assertTrue(begun.await(60, SECONDS))

        treadle.close()

        assertEquals("${StopReason.SERVER_STOPS}", ended.poll(60, SECONDS))
        val story = storage.queries().find(id).orElseThrow()
        assertEquals(StateName.ENQUEUED, story.job().state().name())
        assertEquals(0, story.job().attempt())
    }
}
