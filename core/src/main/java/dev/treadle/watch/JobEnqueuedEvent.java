package dev.treadle.watch;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A job was put in by code in this process. */
@Name("dev.treadle.JobEnqueued")
@Label("Job Enqueued")
@Description("A job was put in by code in this process, and is kept")
final class JobEnqueuedEvent extends JobEvent {
    @Label("Later")
    @Description("It is to run at a later time, not now")
    boolean later;
}
