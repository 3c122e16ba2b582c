package dev.treadle.kotlin

import dev.treadle.testing.TreadleTest
import java.time.Duration
import java.time.Instant
import kotlin.time.Duration.Companion.days
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

/** Calls that are enqueued as lambdas. */
class EnqueueTest {
    /** What the calls were made with. */
    object Seen {
        val all = mutableListOf<String>()
    }

    class Slips {
        fun generate(id: Long, note: String? = null, copies: Int = 1) {
            Seen.all += "slip $id $note $copies"
        }
    }

    private val test = TreadleTest.with {}
    private val slips = Slips()

    @AfterEach
    fun close() {
        test.close()
        Seen.all.clear()
    }

    @Test
    fun `the call of a lambda is enqueued, with its default arguments`() {
        val id = 42L
        test.jobs().enqueueCall { slips.generate(id) }
        test.jobs().enqueueCall { slips.generate(id, "urgent") }
        test.jobs().enqueueOn<Slips> { it.generate(43, copies = 2) }
        test.jobs().scheduleCall(1.days) { slips.generate(44) }
        test.jobs().scheduleCall(Instant.parse("2026-01-03T00:00:00Z")) { slips.generate(45) }

        assertEquals(3, test.drain())
        assertEquals(2, test.advance(Duration.ofDays(2)))
        test.assertNoFailures()
        val expected = listOf("slip 42 null 1", "slip 42 urgent 1", "slip 43 null 2", "slip 44 null 1", "slip 45 null 1")
        assertEquals(expected, Seen.all)
    }
}
