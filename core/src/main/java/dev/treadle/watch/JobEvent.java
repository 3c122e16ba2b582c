package dev.treadle.watch;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** The fields that every event of a job has. The recorder reads them. */
@Category("Treadle")
@StackTrace(false)
abstract class JobEvent extends Event {
    @Label("Job")
    String jobId = "";

    @Label("Type")
    String type = "";

    @Label("Queue")
    String queue = "";

    void of(JobId id, Invocation invocation, String queue) {
        this.jobId = id.toString();
        this.type = invocation.target();
        this.queue = queue;
    }
}
