package dev.treadle.watch;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A job has started on its thread. */
@Name("dev.treadle.JobStarted")
@Label("Job Started")
@Description("A job has got its thread")
final class JobStartedEvent extends JobEvent {
    @Label("Attempt")
    int attempt;
}
