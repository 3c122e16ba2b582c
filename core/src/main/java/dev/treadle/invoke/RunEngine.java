package dev.treadle.invoke;

import dev.treadle.admission.HeldPermits;
import dev.treadle.job.JobContext.StopAction;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.outcome.RunNotesBuffer;
import dev.treadle.payload.JsonResults;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What runs ask of the engine through their contexts. Thread-safe. */
final class RunEngine {
    private final JsonResults results;
    private final InstantSource time;
    private final BooleanSupplier stopping;
    private final RunServices services;
    private final boolean loggingContext;

    RunEngine(RunOptions options, InstantSource time, BooleanSupplier stopping, RunServices services) {
        this.results = options.results();
        this.time = time;
        this.stopping = stopping;
        this.services = services;
        this.loggingContext = options.loggingContext() && LoggingContext.isKept();
    }

    InstantSource time() {
        return time;
    }

    Duration since(Instant began) {
        return Duration.between(began, time.instant());
    }

    boolean isStopping() {
        return stopping.getAsBoolean();
    }

    boolean hasLoggingContext() {
        return loggingContext;
    }

    RunNotesBuffer newNotebook(Lease lease) {
        return services.notebooks().of(lease);
    }

    RunSteps newSteps(Attempt attempt) {
        return new RunSteps(attempt, services.transactions().storage().runs(), results, time);
    }

    /**
     * @param began when the run did, by the clock of this node
     * @throws IllegalStateException in a chunk: one job cannot wait while the others go on
     */
    RunGates newGates(Attempt attempt, Run run, RunSteps steps, Instant began) {
        refuseInChunk(attempt, "spawns no jobs and waits for nothing. Register a handler of its own for such jobs.");
        return new RunGates(
                run,
                steps,
                Duration.between(began, run.lease().job().state().since()),
                new RunGates.Shared(
                        services.transactions().storage().runs(), services.children(), results, time, services.kept()));
    }

    /** @throws IllegalStateException in a chunk: its jobs could wait for each other on one thread */
    HeldPermits newHolds(Attempt attempt) {
        refuseInChunk(attempt, "uses no resources by itself. Enqueue such jobs with JobOptions.withUses.");
        return new HeldPermits(
                services.resources(), attempt.lease().job().traits().uses());
    }

    private static void refuseInChunk(Attempt attempt, String what) {
        if (attempt.isInChunk()) {
            throw new IllegalStateException(
                    "Job " + attempt.lease().job().id() + " runs in a chunk, in one call with others, so it " + what);
        }
    }

    RunTransactions.Shared sharedTransactions() {
        return services.transactions();
    }

    Transition success(Lease lease, Instant began, Call call, @Nullable Object result) {
        return AttemptEnd.succeeded(lease, since(began), results.write(result, call::returns));
    }

    void doNow(Lease lease, StopAction action) {
        services.stopActions().run(lease, action);
    }
}
