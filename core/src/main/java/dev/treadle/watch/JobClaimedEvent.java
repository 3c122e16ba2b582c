package dev.treadle.watch;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** A server in this process claimed a job. */
@Name("dev.treadle.JobClaimed")
@Label("Job Claimed")
@Description("A server of this process has taken a job, and will start it when there is a permit")
final class JobClaimedEvent extends JobEvent {
    @Label("Attempt")
    int attempt;

    @Label("Since Enqueued")
    @Description(
            "From the enqueue to the claim, by the clock of the storage: how long it waited, if it was to run at once and"
                    + " this is its first attempt")
    @Timespan(Timespan.MILLISECONDS)
    long sinceEnqueued;
}
