package dev.treadle.watch;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Code in this process enqueued a job. */
@Name("dev.treadle.JobEnqueued")
@Label("Job Enqueued")
@Description("Code in this process enqueued a job, and it is stored")
final class JobEnqueuedEvent extends JobEvent {
    @Label("Later")
    @Description("It is to run at a later time, not now")
    boolean later;
}
