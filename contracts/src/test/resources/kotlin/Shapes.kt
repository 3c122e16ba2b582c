package com.acme

import dev.treadle.api.JobCall1
import dev.treadle.Treadle
import dev.treadle.api.JobCall
import dev.treadle.api.JobScheduler
import dev.treadle.api.ServiceCall
import dev.treadle.job.JobContext
import dev.treadle.job.JobId
import dev.treadle.job.JobRequest
import dev.treadle.job.ResultHandler
import java.time.LocalDate
import java.util.concurrent.ConcurrentLinkedQueue

data class Order(val id: Long, val lines: List<Line> = emptyList(), val note: String? = null, val day: LocalDate)

data class Line(val sku: String, val qty: Int = 1)

data class Ship(val order: Order, val express: Boolean = false) : JobRequest<String>

data class Plain(val n: Int, val s: String) : JobRequest<Int>

data class Open(val more: Map<String, Any>) : JobRequest<Void>

data class Hello(val name: String) : JobRequest<Void>

data class Twice(val name: String) : JobRequest<Void>

data class Told(val name: String) : JobRequest<Void>

data class Sum(val a: Int, val b: Int) : JobRequest<Int>

enum class Colour { RED, GREEN }

/** What the jobs were called with, in their order. */
object Seen {
    val all = ConcurrentLinkedQueue<String>()

    fun add(what: String) {
        all.add(what)
    }
}

open class Slips {
    fun generate(id: Long) = Seen.add("generate $id")
    fun order(order: Order) = Seen.add("$order")
    fun defaulted(id: Long, colour: Colour = Colour.GREEN, text: String = "none") = Seen.add("defaulted $id $colour $text")
    fun nullable(text: String?) = Seen.add("nullable $text")
    fun orders(orders: List<Order>) = Seen.add("orders $orders ${orders[0].javaClass.simpleName}")
    fun ret(id: Long): Long { Seen.add("ret $id"); return id * 2 }
    fun told(id: Long, job: JobContext?) = Seen.add("told $id ${job?.attempt()}")
    internal fun intern(id: Long) = Seen.add("intern $id")
}

object Single {
    private var calls = 0

    fun go(id: Long) = Seen.add("object $id, call ${++calls}")

    @JvmStatic fun st(id: Long) = Seen.add("static $id")
}

class WithCompanion {
    companion object {
        fun go(id: Long) = Seen.add("companion $id")
    }
}

fun topLevel(id: Long) = Seen.add("top level $id")

fun topLevelDefaulted(id: Long, times: Int = 3) = Seen.add("top level $id $times")

/** Lambdas that use what their own object has. */
class Office(private val slips: Slips, private val month: Long) {
    fun month(jobs: JobScheduler): JobId = jobs.enqueue(JobCall { slips.generate(month) })
}

class Shape(val name: String, val expected: String, val enqueue: (JobScheduler) -> JobId)

/** A lambda of one expression, a block and a reference: none of them returns anything. */
fun greeting(on: Treadle.Builder): Treadle.Builder = on
    .handler(Hello::class.java) { hello, _ -> Seen.add("hello ${hello.name}") }
    .handler(Twice::class.java) { twice, _ ->
        Seen.add("twice ${twice.name}")
        Seen.add("and ${twice.name}")
    }
    .handler(Told::class.java, ::tell)
    .resultHandler(Sum::class.java) { sum, _ -> sum.a + sum.b }

fun tell(told: Told, job: JobContext) {
    Seen.add("told ${told.name} in attempt ${job.attempt()}")
}

fun shipping() = ResultHandler<Ship, String> { ship, _ -> Seen.add("$ship"); "shipped" }

fun counting() = ResultHandler<Plain, Int> { plain, _ -> Seen.add("$plain"); plain.n }

fun shapes(): List<Shape> {
    val slips = Slips()
    val id = 42L
    val order = Order(7, listOf(Line("z")), "n", LocalDate.EPOCH)
    val told = "Order(id=7, lines=[Line(sku=z, qty=1)], note=n, day=1970-01-01)"
    return listOf(
        Shape("a data class", "Plain(n=1, s=x)") { it.enqueue(Plain(1, "x")) },
        Shape("a data class with defaults, a list and null", "Ship(order=Order(id=1, lines=[Line(sku=a, qty=1), Line(sku=b, qty=2)], note=null, day=1970-01-01), express=false)") {
            it.enqueue(Ship(Order(1, listOf(Line("a"), Line("b", 2)), null, LocalDate.EPOCH)))
        },
        Shape("a call with a constant", "generate 42") { it.enqueue(JobCall { slips.generate(42) }) },
        Shape("a captured number", "generate 42") { it.enqueue(JobCall { slips.generate(id) }) },
        Shape("a captured data class", told) { it.enqueue(JobCall { slips.order(order) }) },
        Shape("an item", "generate 5") { it.enqueue(JobCall1<Long> { id -> slips.generate(id) }, 5L) },
        Shape("a reference", "generate 6") { it.enqueue(slips::generate, 6L) },
        Shape("a target", "generate 8") { it.enqueue(ServiceCall<Slips> { slips -> slips.generate(8) }) },
        Shape("default arguments", "defaulted 9 GREEN none") { it.enqueue(JobCall { slips.defaulted(9) }) },
        Shape("some default arguments", "defaulted 9 GREEN x") { it.enqueue(JobCall { slips.defaulted(9, text = "x") }) },
        Shape("null", "nullable null") { it.enqueue(JobCall { slips.nullable(null) }) },
        Shape("a list of data classes", "orders [$told] Order") {
            val all = listOf(order)
            it.enqueue(JobCall { slips.orders(all) })
        },
        Shape("a value is returned", "ret 21") { it.enqueue(JobCall { slips.ret(21) }) },
        Shape("a reference that returns a value", "ret 22") { it.enqueue(slips::ret, 22L) },
        Shape("a context", "told 3 1") { it.enqueue(JobCall { slips.told(3, JobContext.SUPPLIED) }) },
        Shape("internal", "intern 21") { it.enqueue(JobCall { slips.intern(21) }) },
        Shape("an object", "object 1, call 1") { it.enqueue(JobCall { Single.go(1) }) },
        Shape("an object again", "object 2, call 2") { it.enqueue(JobCall { Single.go(2) }) },
        Shape("@JvmStatic", "static 1") { it.enqueue(JobCall { Single.st(1) }) },
        Shape("a companion", "companion 1") { it.enqueue(JobCall { WithCompanion.go(1) }) },
        Shape("a top level function", "top level 1") { it.enqueue(JobCall { topLevel(1) }) },
        Shape("a top level function with a default", "top level 2 3") { it.enqueue(JobCall { topLevelDefaulted(2) }) },
        Shape("fields of this", "generate 11") { Office(slips, 11).month(it) },
    )
}
