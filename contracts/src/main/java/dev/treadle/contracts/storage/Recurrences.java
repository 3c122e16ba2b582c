package dev.treadle.contracts.storage;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobTraits;
import dev.treadle.job.RetryPolicy;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.RecurringJob.Plan;
import dev.treadle.lifecycle.RecurringJob.Progress;
import dev.treadle.lifecycle.RecurringJob.Standing;
import dev.treadle.lifecycle.RecurringJob.Status;
import dev.treadle.schedule.Missed;
import dev.treadle.schedule.Overlap;
import dev.treadle.schedule.RecurringRules;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Recurring jobs as tests speak of them. */
final class Recurrences {
    static final Instant SINCE = Instant.parse("2026-01-02T03:04:05.123456Z");
    /** A slot that has come, whatever the clock of the storage says. */
    static final Instant PAST = Instant.parse("2001-01-01T00:00:00Z");

    static final Instant FAR = Instant.parse("2199-12-31T23:59:59.123456Z");

    private static final Invocation CALL = new Invocation("com.acme.Cleanup", "run(long)", "[7]");
    private static final String NIGHTLY = "cron Europe/Berlin 0 2 * * *";

    private Recurrences() {}

    /** One with every property unusual. */
    static RecurringJob unusual(String id) {
        return new RecurringJob(
                id,
                new Plan(
                        new Invocation("com.acme.Ümlaut", null, "{\"a\":\"'\\\"\"}"),
                        JobTraits.DEFAULT
                                .withPriority(-7)
                                .withQueue("nights")
                                .withLabels("a", "b")
                                .withRetries(RetryPolicy.NEVER),
                        "every PT1M",
                        NIGHTLY,
                        new RecurringRules(
                                Missed.all(17), Duration.ofMillis(2_345), Overlap.QUEUE, Duration.ofMillis(678))),
                new Progress(FAR, PAST, new Jobs().nextId(), new Jobs().nextId()),
                new Standing(Status.PAUSED, "ann", "because", SINCE),
                0);
    }

    static RecurringJob dueAt(String id, @Nullable Instant next) {
        return with(id, RecurringRules.DEFAULT, Progress.from(next));
    }

    static RecurringJob with(String id, RecurringRules rules, Progress progress) {
        return new RecurringJob(
                id,
                new Plan(CALL, JobTraits.DEFAULT, NIGHTLY, NIGHTLY, rules),
                progress,
                new Standing(Status.ACTIVE, null, null, SINCE),
                0);
    }

    static Standing standing(Status status) {
        return new Standing(status, "ann", null, SINCE);
    }
}
