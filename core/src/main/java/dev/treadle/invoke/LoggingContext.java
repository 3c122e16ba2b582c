package dev.treadle.invoke;

import dev.treadle.job.Job;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.helpers.NOPMDCAdapter;

/**
 * Puts the job that a thread runs into the logging context of that thread, so that its log lines can be found by job.
 */
final class LoggingContext {
    static final String JOB = "treadle.job";
    static final String TYPE = "treadle.type";
    static final String QUEUE = "treadle.queue";
    static final String ATTEMPT = "treadle.attempt";
    static final String FORK = "treadle.fork";
    /** The name of a header follows. */
    static final String HEADER = "treadle.header.";

    private LoggingContext() {}

    /** Whether the logging library keeps a context; if not, none is built. */
    static boolean isKept() {
        return !(MDC.getMDCAdapter() instanceof NOPMDCAdapter);
    }

    static void begin(Job job) {
        MDC.put(JOB, job.id().toString());
        MDC.put(TYPE, job.invocation().target());
        MDC.put(QUEUE, job.traits().queue());
        MDC.put(ATTEMPT, Integer.toString(job.attempt()));
        if (!job.traits().headers().isEmpty()) {
            job.traits().headers().forEach((name, value) -> MDC.put(HEADER + name, value));
        }
    }

    /** Several jobs of one type and queue run on this thread. */
    static void beginChunk(Job one) {
        MDC.put(TYPE, one.invocation().target());
        MDC.put(QUEUE, one.traits().queue());
    }

    static void endChunk() {
        MDC.remove(TYPE);
        MDC.remove(QUEUE);
    }

    /** The context that a fork inherits from the thread that forks it. */
    static Map<String, String> copy() {
        Map<String, String> now = MDC.getCopyOfContextMap();
        return now == null ? Map.of() : now;
    }

    /**
     * A fork begins on this thread.
     *
     * @param taken the inherited context; null if there is none
     * @return the previous context of this thread
     */
    static Map<String, String> enter(@Nullable Map<String, String> taken, String fork) {
        if (taken == null) {
            return Map.of();
        }
        Map<String, String> before = copy();
        MDC.setContextMap(taken);
        MDC.put(FORK, fork);
        return before;
    }

    /** The fork has ended on this thread. */
    static void leave(@Nullable Map<String, String> taken, Map<String, String> before) {
        if (taken != null) {
            MDC.setContextMap(before);
        }
    }

    static void end(Job job) {
        MDC.remove(JOB);
        MDC.remove(TYPE);
        MDC.remove(QUEUE);
        MDC.remove(ATTEMPT);
        if (!job.traits().headers().isEmpty()) {
            job.traits().headers().keySet().forEach(name -> MDC.remove(HEADER + name));
        }
    }
}
