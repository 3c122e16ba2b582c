package dev.treadle.kotlin

import dev.treadle.Treadle
import dev.treadle.job.GiveUpException
import dev.treadle.job.JobRequest
import dev.treadle.job.StateName
import dev.treadle.storage.memory.InMemoryStorageProvider
import dev.treadle.storage.sql.SqlStorageProvider
import dev.treadle.storage.sql.SqlStorageSettings
import dev.treadle.testing.Fault
import dev.treadle.testing.TreadleTest
import java.time.Duration
import java.util.UUID
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotSame
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedClass
import org.junit.jupiter.params.provider.EnumSource
import org.slf4j.MDC

/** Suspend handlers, in memory and on H2. */
@ParameterizedClass
@EnumSource(SuspendingTest.Place::class)
class SuspendingTest(place: Place) {
    enum class Place {
        MEMORY,
        H2;

        fun test(configure: (Treadle.Builder) -> Unit): TreadleTest =
            when (this) {
                MEMORY -> TreadleTest.on({ InMemoryStorageProvider(it) }, configure)
                H2 ->
                    TreadleTest.on(
                        { time ->
                            val settings = SqlStorageSettings.DEFAULT.withTime(time)
                            SqlStorageProvider.open("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "", settings)
                        },
                        configure,
                    )
            }
    }

    data class Mail(val to: String) : JobRequest<Void>

    data class Add(val a: Int, val b: Int) : JobRequest<Int>

    data class Spread(val parts: Int) : JobRequest<Void>

    data class Order(val item: String) : JobRequest<Void>

    data class Family(val size: Int) : JobRequest<Int>

    data class Member(val number: Int) : JobRequest<Int>

    data class Fail(val how: String) : JobRequest<Void>

    private val seen = mutableListOf<String>()

    private val test =
        place.test { treadle ->
            treadle
                .handler<Mail> { mail, job ->
                    val thread = Thread.currentThread()
                    delay(5.milliseconds)
                    assertSame(thread, Thread.currentThread())
                    assertSame(job, currentJob())
                    seen += "mail to ${mail.to}, ${MDC.get("treadle.job") == job.jobId().toString()}"
                }
                .resultHandler<Add, Int> { add, _ ->
                    coroutineScope {
                        val a = async { add.a }
                        val b = async(Dispatchers.Default) { add.b }
                        a.await() + b.await()
                    }
                }
                .handler<Spread> { spread, job ->
                    val home = Thread.currentThread()
                    coroutineScope {
                        repeat(spread.parts) { part ->
                            launch(Dispatchers.IO) {
                                assertNotSame(home, Thread.currentThread())
                                assertEquals(job.jobId(), currentJob().jobId())
                                assertEquals(job.jobId().toString(), MDC.get("treadle.job"))
                                delay(part.milliseconds)
                                synchronized(seen) { seen += "part" }
                            }
                        }
                    }
                    seen += "all"
                }
                .handler<Order> { order, job ->
                    val paid = job.suspendStep("pay") {
                        delay(1.milliseconds)
                        seen += "pay"
                        "receipt of ${order.item}"
                    }
                    withContext(Dispatchers.IO) {
                        job.suspendStep("ship") {
                            delay(1.milliseconds)
                            synchronized(seen) { seen += "ship with $paid" }
                            1
                        }
                    }
                }
                .resultHandler<Family, Int> { family, job ->
                    delay(1.milliseconds)
                    val members = job.spawn("member", (1..family.size).map { Member(it) }.stream())
                    val sum = members.join().succeeded().use { all -> all.mapToInt { it }.sum() }
                    delay(1.milliseconds)
                    sum + job.await("more", Int::class.javaObjectType, Duration.ofDays(1)).orElse(0)
                }
                .resultHandler<Member, Int> { member, _ -> member.number }
                .handler<Fail> { fail, job ->
                    delay(1.milliseconds)
                    if (fail.how == "step") {
                        assertThrows(IllegalStateException::class.java) {
                            runBlocking { job.suspendStep<Int>("broken") { error("in the step") } }
                        }
                        seen += "went on"
                    } else if (fail.how == "for good") {
                        throw GiveUpException("enough")
                    } else {
                        error("no mail server")
                    }
                }
        }

    @AfterEach
    fun close() {
        test.close()
    }

    @Test
    fun `a handler may suspend, and goes on on its own thread`() {
        val id = test.jobs().enqueue(Mail("ada"))

        assertEquals(1, test.drain())
        test.assertNoFailures()
        test.assertState(StateName.SUCCEEDED, id)
        assertEquals(listOf("mail to ada, true"), seen)
    }

    @Test
    fun `what it returns is kept`() {
        val id = test.jobs().enqueue(Add(2, 3))

        test.drain()
        assertEquals(5, runBlocking { test.jobs().awaitResult<Int>(id) })
    }

    @Test
    fun `the run ends when all that it launched has ended, and each knows its job`() {
        test.jobs().enqueue(Spread(20))

        test.drain()
        test.assertNoFailures()
        assertEquals(List(20) { "part" } + "all", seen)
    }

    @Test
    fun `a step that suspends is done once`() {
        test.inject(Fault.crashAfterStep("pay"))
        val id = test.jobs().enqueue(Order("book"))

        test.advance(Duration.ofHours(1))
        test.assertNoFailures()
        test.assertState(StateName.SUCCEEDED, id)
        assertEquals(listOf("pay", "ship with receipt of book"), seen)
    }

    @Test
    fun `what it throws is what the attempt failed with`() {
        val id = test.jobs().enqueue(Fail("once"))

        test.drain()
        test.assertState(StateName.SCHEDULED, id)
        val failure = assertThrows(AssertionError::class.java) { test.assertNoFailures() }
        assertTrue(failure.message!!.contains("java.lang.IllegalStateException: no mail server"), failure.message)
    }

    @Test
    fun `giving up means that no attempt follows`() {
        val id = test.jobs().enqueue(Fail("for good"))

        test.drain()
        test.assertState(StateName.FAILED, id)
    }

    @Test
    fun `code that catches what a step throws goes on`() {
        val id = test.jobs().enqueue(Fail("step"))

        test.drain()
        test.assertNoFailures()
        test.assertState(StateName.SUCCEEDED, id)
        assertEquals(listOf("went on"), seen)
    }

    @Test
    fun `a request is scheduled with a Kotlin duration`() {
        test.jobs().schedule(3.hours, Mail("ada"))

        test.advance(Duration.ofMinutes(179))
        assertEquals(listOf<String>(), seen)
        test.advance(Duration.ofMinutes(1))
        assertEquals(1, seen.size)
    }

    @Test
    fun `outside of a job there is no current one`() {
        val refused = assertThrows(IllegalStateException::class.java) { runBlocking { currentJob() } }
        assertTrue(refused.message!!.contains("belongs to no job"), refused.message)
    }

    @Test
    fun `a handler that suspends may join its children and await an event`() {
        val id = test.jobs().enqueue(Family(3))
        test.drain()
        test.assertState(StateName.WAITING, id)
        test.jobs().signal(id, "more", 4)
        test.drain()
        test.assertNoFailures()
        assertEquals(10, runBlocking { test.jobs().awaitResult<Int>(id) })
    }
}
