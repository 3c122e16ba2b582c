package dev.treadle.invoke;

import dev.treadle.job.Job;
import org.slf4j.MDC;
import org.slf4j.helpers.NOPMDCAdapter;

/** Says in the logging context of a thread which job it runs, so that every line a job logs can be found by it. */
final class LoggingContext {
    static final String JOB = "treadle.job";
    static final String TYPE = "treadle.type";
    static final String QUEUE = "treadle.queue";
    static final String ATTEMPT = "treadle.attempt";

    private LoggingContext() {}

    /** Whether the logging library keeps a context at all, so that none is made for nobody. */
    static boolean isKept() {
        return !(MDC.getMDCAdapter() instanceof NOPMDCAdapter);
    }

    static void begin(Job job) {
        MDC.put(JOB, job.id().toString());
        MDC.put(TYPE, job.invocation().target());
        MDC.put(QUEUE, job.traits().queue());
        MDC.put(ATTEMPT, Integer.toString(job.attempt()));
    }

    static void end() {
        MDC.remove(JOB);
        MDC.remove(TYPE);
        MDC.remove(QUEUE);
        MDC.remove(ATTEMPT);
    }
}
