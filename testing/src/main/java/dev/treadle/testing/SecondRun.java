package dev.treadle.testing;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.job.StateName;
import java.util.List;

/** Runs one job twice, as after a crash that comes when its work is done and its success is not recorded. */
record SecondRun(TreadleTest test, Faults faults, KnownJobs jobs, JobId id) {
    /** How often time moves until the second run must have come. */
    private static final int MOVES_MAX = 10_000;

    void run() {
        int before = attempts();
        Fault lost = Fault.crashAfterRun().of(id);
        faults.plan(lost);
        test.drain();
        if (faults.drop(lost)) {
            throw new AssertionError(
                    "Job " + id + " could not be run twice, because it did not run to its end once. It is " + state()
                            + "." + jobs.failureOf(id));
        }
        int first = attempts();
        for (int moves = 0; !hasEndedAgain(Math.max(first, before + 1)); moves++) {
            if (moves == MOVES_MAX || !test.advanceToNext()) {
                throw new AssertionError(
                        "Job " + id + " did not run a second time. It is " + state() + "." + jobs.failureOf(id));
            }
        }
        if (state() != StateName.SUCCEEDED) {
            throw new AssertionError(
                    "Job " + id + " ran to its end once, and did not succeed when it was run again, as it is"
                            + " after a crash. It is " + state() + "." + jobs.failureOf(id));
        }
    }

    private boolean hasEndedAgain(int first) {
        StateName now = state();
        return now == StateName.SUCCEEDED
                || now == StateName.FAILED
                || now == StateName.CANCELLED
                || now == StateName.PARKED
                || history().stream().anyMatch(entry -> entry.attempt() > first);
    }

    private int attempts() {
        return story().job().attempt();
    }

    private StateName state() {
        return story().job().state().name();
    }

    private List<HistoryEntry> history() {
        return story().history();
    }

    private JobStory story() {
        return jobs.find(id);
    }
}
