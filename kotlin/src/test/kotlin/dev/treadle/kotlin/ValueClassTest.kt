package dev.treadle.kotlin

import dev.treadle.job.Due
import dev.treadle.job.Invocation
import dev.treadle.job.JobId
import dev.treadle.job.JobRequest
import dev.treadle.job.JobTraits
import dev.treadle.job.NotCapturableException
import dev.treadle.job.Secret
import dev.treadle.payload.SecretMarks
import dev.treadle.storage.NewJob
import dev.treadle.testing.TreadleTest
import java.time.LocalDate
import java.util.UUID
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Value classes, and names of properties that the rules of beans do not know, in what a job is given and gives back. */
class ValueClassTest {
    @JvmInline
    value class OrderId(val number: Long) {
        init {
            require(number > 0) { "no order has the number $number" }
        }
    }

    @JvmInline
    value class Sku(val code: String)

    @JvmInline
    value class Batch(private val id: UUID)

    @JvmInline
    value class Shelf(val sku: Sku)

    @JvmInline
    value class Boxed<T>(val content: T)

    data class Ship(val id: OrderId, val sku: Sku, val batch: Batch, val shelf: Shelf) : JobRequest<Void>

    data class Maybe(val id: OrderId?, val sku: Sku?, val shelf: Shelf?, val count: UInt?, val wait: Duration?) :
        JobRequest<Void>

    data class Many(
        val ids: List<OrderId?>,
        val skus: Map<Sku, Set<OrderId>>,
        val names: Map<OrderId, String>,
        val wait: Duration,
        val boxes: List<Boxed<Sku>>,
    ) : JobRequest<Void>

    data class Defaulted(
        val old: Int,
        val id: OrderId = OrderId(7),
        val sku: Sku = Sku("new"),
        val maybe: OrderId? = OrderId(8),
        val note: String = sku.code,
    ) : JobRequest<Void>

    data class Stuck(val old: Int, val sku: Sku) : JobRequest<Void>

    class Plain(val id: OrderId, val sku: Sku) : JobRequest<Void>

    data class Odd(
        val isPaid: Boolean,
        val eMail: String,
        val xCoordinate: Int,
        val URL: String,
        var isOpen: OrderId,
        internal val inner: Int,
    ) : JobRequest<Void>

    data class Pay(val employee: Long, @Secret val account: String, @Secret val token: Sku) : JobRequest<Void>

    data class Leaking(@Secret val any: Any) : JobRequest<Void>

    data class Next(val of: OrderId) : JobRequest<OrderId>

    class Orders {
        fun ship(id: OrderId, sku: Sku? = null) {
            SEEN += "$id $sku"
        }

        fun maybe(id: OrderId?) {
            SEEN += "$id"
        }
    }

    private val test = TreadleTest.with { treadle ->
        treadle.resultHandler<Next, OrderId> { next, job ->
            val before = job.suspendStep("read") { next.of }
            OrderId(before.number + 1)
        }
    }

    @AfterEach
    fun close() {
        test.close()
        SEEN.clear()
    }

    private fun stored(request: JobRequest<*>): String {
        val id = test.jobs().enqueue(request)
        return test.treadle().storage().queries().find(id).orElseThrow().job().invocation().arguments()
    }

    private fun <T : Any> back(request: T): T where T : JobRequest<*> {
        test.jobs().enqueue(request)
        return test.enqueued(request.javaClass).single()
    }

    private fun old(type: Class<*>, arguments: String) {
        val id = JobId.of(UUID.nameUUIDFromBytes(arguments.toByteArray()))
        test.treadle().storage()
            .insert(listOf(NewJob(id, Invocation(type.name, null, arguments), Due.NOW, JobTraits.DEFAULT)))
    }

    @Test
    fun `a value class is stored as its value, and comes back equal`() {
        val batch = UUID.fromString("6a2f41a3-c54c-fce8-32d2-0324e1c32e22")
        val ship = Ship(OrderId(5), Sku("a"), Batch(batch), Shelf(Sku("b")))
        assertEquals(ship, back(ship))
        assertEquals("""{"id":6,"sku":"a","batch":"$batch","shelf":"b"}""", stored(ship.copy(id = OrderId(6))))
    }

    @Test
    fun `one that may be null comes back as it was`() {
        val full = Maybe(OrderId(5), Sku("a"), Shelf(Sku("b")), 4_000_000_000u, 3.seconds)
        assertEquals(full, back(full))
        assertEquals("""{"id":5,"sku":"a","shelf":"b","count":-294967296,"wait":6000000000}""", stored(full))
    }

    @Test
    fun `null stays null`() {
        val none = Maybe(null, null, null, null, null)
        assertEquals(none, back(none))
    }

    @Test
    fun `lists, sets, keys and values come back equal`() {
        val many = Many(
            listOf(OrderId(5), null),
            mapOf(Sku("a") to setOf(OrderId(1), OrderId(2))),
            mapOf(OrderId(3) to "three"),
            2.seconds,
            listOf(Boxed(Sku("in"))),
        )
        assertEquals(many, back(many))
    }

    @Test
    fun `a class that is no data class works, too`() {
        val back = back(Plain(OrderId(5), Sku("a")))
        assertEquals(OrderId(5) to Sku("a"), back.id to back.sku)
    }

    @Test
    fun `what an old job lacks has its default`() {
        old(Defaulted::class.java, """{"old":1}""")
        assertEquals(listOf(Defaulted(1)), test.enqueued(Defaulted::class.java))
    }

    @Test
    fun `what an old job has is kept beside defaults`() {
        old(Defaulted::class.java, """{"old":2,"id":3,"maybe":null}""")
        assertEquals(listOf(Defaulted(2, OrderId(3), maybe = null)), test.enqueued(Defaulted::class.java))
    }

    @Test
    fun `what an old job lacks without a default parks it`() {
        old(Stuck::class.java, """{"old":3}""")
        val unreadable = assertThrows(RuntimeException::class.java) { test.enqueued(Stuck::class.java) }
        assertTrue(unreadable.message!!.contains("sku"), unreadable.message)
    }

    @Test
    fun `an object of a value class is checked when it is read`() {
        old(Maybe::class.java, """{"id":-1}""")
        val unreadable = assertThrows(RuntimeException::class.java) { test.enqueued(Maybe::class.java) }
        assertTrue(unreadable.message!!.contains("no order has the number -1"), unreadable.message)
    }

    @Test
    fun `properties have the names that the code gives them`() {
        val odd = Odd(true, "ada@example.org", 3, "https://example.org", OrderId(1), 4)
        assertEquals(odd, back(odd))
        val names = listOf("isPaid", "eMail", "xCoordinate", "URL", "isOpen", "inner")
        val text = stored(odd.copy(xCoordinate = 4))
        assertEquals(names, Regex("\"(\\w+)\":").findAll(text).map { it.groupValues[1] }.toList(), text)
    }

    @Test
    fun `a property that is marked as secret is hidden`() {
        assertEquals(setOf("account", "token"), SecretMarks.of(Pay::class.java, null).names())
        val refused = assertThrows(NotCapturableException::class.java) {
            test.jobs().enqueue(Leaking(LocalDate.of(2026, 11, 22)))
        }
        assertFalse(refused.message!!.contains("2026"), refused.message)
    }

    @Test
    fun `a call makes its value classes when it is enqueued`() {
        val orders = Orders()
        test.jobs().enqueueCall { orders.ship(OrderId(5)) }
        test.jobs().enqueueCall { orders.ship(OrderId(6), Sku("a")) }
        test.jobs().enqueueCall { orders.maybe(OrderId(7)) }
        test.jobs().enqueueCall { orders.maybe(null) }
        test.drain()
        test.assertNoFailures()
        assertEquals(
            listOf("OrderId(number=5) null", "OrderId(number=6) Sku(code=a)", "OrderId(number=7)", "null"),
            SEEN,
        )
    }

    @Test
    fun `a value class that refuses its value is refused where the call is enqueued`() {
        val orders = Orders()
        val refused = assertThrows(NotCapturableException::class.java) {
            test.jobs().enqueueCall { orders.ship(OrderId(-1)) }
        }
        assertTrue(refused.message!!.contains("no order has the number -1"), refused.message)
    }

    @Test
    fun `results and steps may be value classes`() {
        val id = test.jobs().enqueue(Next(OrderId(5)))
        test.drain()
        test.assertNoFailures()
        assertEquals(OrderId(6), runBlocking { test.jobs().awaitResult<OrderId>(id) })
    }

    private companion object {
        val SEEN = mutableListOf<String>()
    }
}
