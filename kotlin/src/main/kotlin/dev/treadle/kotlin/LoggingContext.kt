package dev.treadle.kotlin

import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.ThreadContextElement
import org.slf4j.MDC
import org.slf4j.helpers.NOPMDCAdapter

/** The logging context (MDC) of the job's thread, wherever its coroutines run. */
internal class LoggingContext private constructor(private val taken: Map<String, String>?) :
    AbstractCoroutineContextElement(Key), ThreadContextElement<Map<String, String>?> {
    override fun updateThreadContext(context: CoroutineContext): Map<String, String>? {
        val before = MDC.getCopyOfContextMap()
        put(taken)
        return before
    }

    override fun restoreThreadContext(context: CoroutineContext, oldState: Map<String, String>?) {
        put(oldState)
    }

    private fun put(values: Map<String, String>?) {
        if (values == null) MDC.clear() else MDC.setContextMap(values)
    }

    companion object Key : CoroutineContext.Key<LoggingContext> {
        /** That of the calling thread; nothing if the logging library keeps none. */
        fun taken(): CoroutineContext =
            if (MDC.getMDCAdapter() is NOPMDCAdapter) EmptyCoroutineContext
            else LoggingContext(MDC.getCopyOfContextMap())
    }
}
