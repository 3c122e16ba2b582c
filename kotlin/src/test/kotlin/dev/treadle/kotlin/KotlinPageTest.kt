package dev.treadle.kotlin

import dev.treadle.Treadle
import dev.treadle.api.JobScheduler
import dev.treadle.job.Due
import dev.treadle.job.Invocation
import dev.treadle.job.JobContext
import dev.treadle.job.JobId
import dev.treadle.job.JobRequest
import dev.treadle.job.JobTraits
import dev.treadle.storage.NewJob
import dev.treadle.testing.TreadleTest
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.time.LocalDate
import java.util.UUID
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** The examples of docs/kotlin.md, that the page shows no others, and what its table says. */
class KotlinPageTest {
    data class Mail(val to: String, val subject: String = "Hello") : JobRequest<Void>

    data class Add(val a: Int, val b: Int) : JobRequest<Int>

    fun Treadle.Builder.withMail(mailer: Mailer): Treadle.Builder = this
        .handler<Mail> { mail, job ->
            mailer.send(mail)                       // may suspend
            job.log("sent to ${mail.to}")
        }
        .resultHandler<Add, Int> { add, _ -> add.a + add.b }

    class Mailer {
        suspend fun send(mail: Mail) {
            delay(1.milliseconds)
            currentJob().meta("to", mail.to)
        }
    }

    data class Order(val item: String) : JobRequest<Void>

    class Bank {
        suspend fun charge(item: String): String {
            delay(1.milliseconds)
            return "receipt of $item"
        }
    }

    class Depot {
        suspend fun ship(item: String, paid: String) {
            delay(1.milliseconds)
            Seen.all += "$item for $paid"
        }
    }

    object Seen {
        val all = mutableListOf<String>()
    }

    class Slips {
        fun generate(id: Long, copies: Int = 1) {
            Seen.all += "slip $id, $copies"
        }
    }

    @JvmInline
    value class OrderId(val number: Long)

    class Orders {
        fun ship(id: OrderId) {
            Seen.all += "$id"
        }
    }

    data class Line(val sku: String, val qty: Int?)

    data class Cart(val lines: List<Line?>, val note: String?, val day: LocalDate = LocalDate.EPOCH) : JobRequest<Void>

    data class OfValue(val id: OrderId) : JobRequest<Void>

    private suspend fun steps(order: Order, job: JobContext, bank: Bank, depot: Depot) {
        val paid = job.suspendStep("pay") { bank.charge(order.item) }
        job.suspendStep("ship") { depot.ship(order.item, paid) }
    }

    private fun enqueue(jobs: JobScheduler, slips: Slips) {
        jobs.enqueue(Mail("ada@example.org"))
        jobs.schedule(3.hours, Mail("ada@example.org"))
        jobs.enqueueCall { slips.generate(42) }                 // makes this call, later and perhaps elsewhere
        jobs.enqueueOn<Slips> { it.generate(43) }               // the activator supplies Slips
        jobs.scheduleCall(1.days) { slips.generate(44, copies = 2) }
    }

    private fun test(run: (TreadleTest) -> Unit) {
        Seen.all.clear()
        TreadleTest.with { treadle ->
            treadle.withMail(Mailer()).handler<Order> { order, job -> steps(order, job, Bank(), Depot()) }
        }.use {
            run(it)
            it.assertNoFailures()
        }
    }

    @Test
    fun `the examples run`() = test { test ->
        val mail = test.jobs().enqueue(Mail("bob@example.org"))
        val sum = test.jobs().enqueue(Add(2, 3))
        test.jobs().enqueue(Order("book"))
        enqueue(test.jobs(), Slips())

        test.advance(Duration.ofDays(1))
        assertEquals(listOf("book for receipt of book", "slip 42, 1", "slip 43, 1", "slip 44, 2"), Seen.all)
        val notes = test.jobs().notes(mail).orElseThrow()
        assertEquals(mapOf("to" to "bob@example.org"), notes.meta())
        assertEquals(5, runBlocking { test.jobs().awaitResult<Int>(sum) })
    }

    @Test
    fun `data classes come back equal, with their nulls and defaults`() = test { test ->
        val cart = Cart(listOf(Line("a", 1), Line("b", null), null), null)
        test.jobs().enqueue(cart)

        assertEquals(listOf(cart), test.enqueued(Cart::class.java))
        test.jobs().cancel(test.assertEnqueued(Cart::class.java).id(), "the test", null)
    }

    data class Grown(
        val old: Int,
        val text: String = "new",
        val number: Int = 7,
        val maybe: Int? = 8,
        val list: List<String> = listOf(text),
    ) : JobRequest<Void>

    data class Stuck(val old: Int, val text: String) : JobRequest<Void>

    @Test
    fun `a property that was added has its default in old jobs`() = test { test ->
        fun old(type: Class<*>, arguments: String) {
            val id = JobId.of(UUID.nameUUIDFromBytes(arguments.toByteArray()))
            val job = NewJob(id, Invocation(type.name, null, arguments), Due.NOW, JobTraits.DEFAULT)
            test.treadle().storage().insert(listOf(job))
        }
        old(Grown::class.java, """{"old":1}""")
        assertEquals(listOf(Grown(1, "new", 7, 8, listOf("new"))), test.enqueued(Grown::class.java))
        test.jobs().cancel(test.assertEnqueued(Grown::class.java).id(), "the test", null)

        old(Grown::class.java, """{"old":2,"text":"x","maybe":null}""")
        assertEquals(listOf(Grown(2, "x", 7, null, listOf("x"))), test.enqueued(Grown::class.java))
        test.jobs().cancel(test.assertEnqueued(Grown::class.java).id(), "the test", null)

        old(Stuck::class.java, """{"old":3}""")
        val unreadable = assertThrows(RuntimeException::class.java) { test.enqueued(Stuck::class.java) }
        assertTrue(unreadable.message!!.contains("parameter text"), unreadable.message)
        test.jobs().cancel(test.assertEnqueued(Stuck::class.java).id(), "the test", null)
    }

    @Test
    fun `a value class is a property, and an argument of a call`() = test { test ->
        val request = OfValue(OrderId(5))
        test.jobs().enqueue(request)
        assertEquals(listOf(request), test.enqueued(OfValue::class.java))
        test.jobs().cancel(test.assertEnqueued(OfValue::class.java).id(), "the test", null)

        val orders = Orders()
        test.jobs().enqueueCall { orders.ship(OrderId(6)) }
        test.drain()
        assertEquals(listOf("OrderId(number=6)"), Seen.all)
    }

    @Test
    fun `the page shows what is run here`() {
        val source = squeezed(Files.readString(Path.of("src/test/kotlin/dev/treadle/kotlin/KotlinPageTest.kt")))
        val examples = Regex("```kt\n(.*?)```", RegexOption.DOT_MATCHES_ALL)
            .findAll(Files.readString(Path.of("../docs/kotlin.md")))
            .map { it.groupValues[1] }
            .toList()

        assertEquals(4, examples.size)
        for (part in examples.flatMap { it.split("\n\n") }) {
            assertTrue(source.contains(squeezed(part)), part)
        }
    }

    private fun squeezed(code: String) = code.replace(Regex("\\s+"), "")
}
