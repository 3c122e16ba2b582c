package dev.treadle.watch;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** An attempt, from its start to its end. */
@Name("dev.treadle.JobFinished")
@Label("Job Finished")
@Description("An attempt has ended; its duration is how long it had the thread")
final class JobFinishedEvent extends JobEvent {
    @Label("Attempt")
    int attempt;

    @Label("Outcome")
    @Description("COMPLETED, THREW, SNOOZED, SUSPENDED, STOPPED, NOT_RUNNABLE or GIVEN_BACK")
    String outcome = "";

    @Label("Next State")
    String next = "";

    @Label("Failure")
    @Description("The type of what was thrown")
    @Nullable
    String failure;
}
