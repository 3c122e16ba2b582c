package dev.treadle.invoke;

import dev.treadle.invoke.NotRunnableException.Missing;
import dev.treadle.invoke.StepCommit.KnownStepException;
import dev.treadle.job.JobStep;
import dev.treadle.job.LeaseLostException;
import dev.treadle.job.StopReason;
import dev.treadle.lifecycle.RunId;
import dev.treadle.payload.JsonResults;
import dev.treadle.payload.UnreadableArgumentsException;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.RunStorage.NewStep;
import dev.treadle.storage.RunStorage.StepAnswer;
import dev.treadle.storage.TransactionalStorage;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one run: gives back what was recorded, and records what is done. Thread-safe: forks of the job may do steps
 * at the same time.
 */
final class RunSteps {
    private final Attempt attempt;
    private final RunStorage storage;
    private final JsonResults results;
    private final InstantSource time;

    private final ReentrantLock lock = new ReentrantLock();
    /** By name; null until the first step of this run. Guarded by {@link #lock}, as are the next. */
    private @Nullable Map<String, JobStep> recorded;

    private final Set<String> used = new HashSet<>();
    /** How many are recorded or under way. */
    private int count;
    /** How much all results take. */
    private long chars;

    private volatile boolean ended;
    private volatile boolean leaseLost;
    private volatile @Nullable NotRunnableException unreadable;

    RunSteps(Attempt attempt, RunStorage storage, JsonResults results, InstantSource time) {
        this.attempt = attempt;
        this.storage = storage;
        this.results = results;
        this.time = time;
    }

    /**
     * Does a step, unless it has been done.
     *
     * @param type what it returns
     */
    <R extends @Nullable Object> R once(String name, Type type, Callable<R> work) throws Exception {
        return unlessDone(name, type, began -> {
            R value = work.call();
            NewStep fresh = fresh(name, type, value, began, StepWriter.Work.IS_DONE);
            JobStep known = record(storage, fresh);
            // what was recorded first counts; where the text is the same, so is the value
            return known == null || Objects.equals(known.result(), fresh.result()) ? value : read(known, type);
        });
    }

    /** Does a step in a transaction that is committed with its record, unless it has been done. */
    <R extends @Nullable Object> R once(String name, Type type, Transacted<R> work) throws Exception {
        return unlessDone(name, type, began -> {
            try {
                return work.with(new StepCommit<>(this, RunId.of(attempt.lease()), name, type, began));
            } catch (KnownStepException e) {
                return read(e.step(), type);
            }
        });
    }

    /** Runs a transaction with these last writes. */
    interface Transacted<R extends @Nullable Object> {
        R with(StepCommit<R> last) throws Exception;
    }

    private interface Doing<R extends @Nullable Object> {
        R since(Instant began) throws Exception;
    }

    private <R extends @Nullable Object> R unlessDone(String name, Type type, Doing<R> doing) throws Exception {
        StepWriter.mustBeName(name);
        JobStep known = begin(name);
        boolean done = false;
        try {
            R result = known == null ? doing.since(time.instant()) : read(known, type);
            done = true;
            return result;
        } finally {
            if (!done) {
                forget(name, known == null);
            }
        }
    }

    /**
     * Takes a name for something else than a step.
     *
     * @throws IllegalStateException if this run has used it, or a step has it
     */
    void reserve(String name) {
        StepWriter.mustBeName(name);
        if (begin(name) != null) {
            throw new IllegalStateException("'" + name + "' is the name of a recorded step of job "
                    + attempt.lease().job().id() + ", so nothing else can have it. Choose another name.");
        }
        lock.lock();
        try {
            count--;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable JobStep begin(String name) {
        lock.lock();
        try {
            mustHoldLease();
            if (!used.add(name)) {
                throw new IllegalStateException("The step '" + name
                        + "' was begun in this run already, and its name identifies a step. Give each"
                        + " step a name of its own; in a loop, number them: job.step(\"page-\" + n, …).");
            }
            boolean begun = false;
            try {
                JobStep known = recorded().get(name);
                if (known == null && count >= JobStep.STEPS_MAX) {
                    throw tooMany();
                }
                count += known == null ? 1 : 0;
                begun = true;
                return known;
            } finally {
                if (!begun) {
                    used.remove(name);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private IllegalStateException tooMany() {
        return new IllegalStateException("Job " + attempt.lease().job().id() + " has " + JobStep.STEPS_MAX
                + " steps, and no more are kept. Do more in one step, or divide the work between several jobs.");
    }

    private void mustHoldLease() {
        if (ended) {
            throw new IllegalStateException(
                    "The run of job " + attempt.lease().job().id()
                            + " has ended, so no step can be done in it. Close scopes before the job's code returns.");
        }
        if (leaseLost || attempt.stopReason() == StopReason.LEASE_LOST) {
            throw leaseLost();
        }
    }

    /** Asked for at the first step: one statement for each run that has any. */
    private Map<String, JobStep> recorded() {
        Map<String, JobStep> known = recorded;
        if (known == null) {
            known = new HashMap<>();
            for (JobStep step : storage.steps(attempt.lease().job().id(), 0, JobStep.STEPS_MAX)) {
                known.put(step.name(), step);
                chars += lengthOf(step.result());
            }
            count = known.size();
            recorded = known;
        }
        return known;
    }

    private NewStep fresh(String name, Type type, @Nullable Object value, Instant began, StepWriter.Work work) {
        NewStep fresh = StepWriter.step(results, name, type, value, Duration.between(began, time.instant()), work);
        lock.lock();
        try {
            if (chars + lengthOf(fresh.result()) > JobStep.RESULT_CHARS_MAX) {
                throw StepWriter.tooMuch(name, work);
            }
        } finally {
            lock.unlock();
        }
        return fresh;
    }

    /** Records it; gives what was recorded before, null if nothing was. */
    private @Nullable JobStep record(RunStorage in, NewStep fresh) {
        StepAnswer answer = in.recordStep(RunId.of(attempt.lease()), fresh);
        if (answer instanceof StepAnswer.LeaseLost) {
            leaseLost = true;
            throw leaseLost();
        }
        if (answer instanceof StepAnswer.Known known) {
            return known.step();
        }
        lock.lock();
        try {
            chars += lengthOf(fresh.result());
        } finally {
            lock.unlock();
        }
        return null;
    }

    /** Records it in the transaction in which it was done; gives what was recorded before, null if nothing was. */
    @Nullable
    JobStep recordIn(TransactionalStorage in, StepCommit<?> step, @Nullable Object value) {
        NewStep fresh = fresh(step.name(), step.type(), value, step.began(), StepWriter.Work.IS_ROLLED_BACK);
        return record(in.runs(), fresh);
    }

    /** Whether a step of this name is recorded now. */
    boolean isRecorded(String name) {
        return storage.steps(attempt.lease().job().id(), 0, JobStep.STEPS_MAX).stream()
                .anyMatch(step -> step.name().equals(name));
    }

    private static int lengthOf(@Nullable String result) {
        return result == null ? 0 : result.length();
    }

    LeaseLostException leaseLost() {
        return new LeaseLostException("Job " + attempt.lease().job().id() + " does not hold its lease any more: it was"
                + " cancelled, taken over by another node, or has succeeded with its transaction. So this run can record no"
                + " step any more, and should end.");
    }

    @SuppressWarnings({"unchecked", "NullAway"})
    private <R extends @Nullable Object> R read(JobStep known, Type type) {
        String result = known.result();
        if (result == null) {
            return (R) null;
        }
        try {
            return results.read(result, type);
        } catch (UnreadableArgumentsException e) {
            NotRunnableException parked = new NotRunnableException(
                    Missing.ARGUMENTS,
                    "What the step '" + known.name() + "' returned in attempt " + known.attempt()
                            + " does not fit the code"
                            + " of today. " + e.getMessage()
                            + " Deploy code that reads it, rename the step so that it is done"
                            + " again, or run the job from the start.",
                    e);
            unreadable = parked;
            throw parked;
        }
    }

    /** It threw, so it is not recorded and may be tried again. */
    private void forget(String name, boolean isNew) {
        lock.lock();
        try {
            used.remove(name);
            count -= isNew ? 1 : 0;
        } finally {
            lock.unlock();
        }
    }

    /** Says which step could not be given back; null if all could. It also stands when the job's code has wrapped it. */
    @Nullable
    NotRunnableException unreadable() {
        return unreadable;
    }

    /** Whether a record was refused because the lease is gone. */
    boolean hasLostLease() {
        return leaseLost;
    }

    /** The run has ended. */
    void close() {
        ended = true;
    }
}
