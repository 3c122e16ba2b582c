package dev.treadle.lifecycle;

import dev.treadle.job.AfterRule;
import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JoinRule;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What a gate knows: one job waits at it, and it counts how others end. Pure, so that every storage decides alike when it
 * opens.
 *
 * @param waiter  who waits, or may come to wait
 * @param name    what the waiter's code calls it
 * @param spawned how many jobs were spawned at it so far
 * @param need    how many have to end; null while there may come more
 * @param ended   how many have ended
 * @param failed  how many of those failed for good, were cancelled, or were deleted before they had ended
 */
public record Gate(
        GateId id,
        JobId waiter,
        String name,
        long spawned,
        @Nullable Long need,
        long ended,
        long failed) {
    /** The name of the gate of a batch. */
    public static final String BATCH = "batch";

    /** The name of the gate of a job that runs after others. */
    public static final String AFTER = "after";

    /** One at which nothing has happened yet. */
    public static Gate fresh(JobId waiter, String name) {
        return new Gate(GateId.of(waiter, name), waiter, name, 0, null, 0, 0);
    }

    /** How many have succeeded. */
    public long succeeded() {
        return ended - failed;
    }

    /** Whether all have ended that it counts. */
    public boolean isComplete() {
        return need != null && ended >= need;
    }

    /** Whether who waits for this may go on. */
    public boolean isOpen(JoinRule rule) {
        return isComplete()
                || switch (rule) {
                    case ALL_END -> false;
                    case ALL_SUCCEED -> failed > 0;
                    case ANY_SUCCEEDS -> succeeded() > 0;
                };
    }

    /** Whether those that have not ended are cancelled, because what they are waited for has been decided. */
    public boolean cancelsRest(JoinRule rule) {
        return isOpen(rule) && !isComplete();
    }

    /** What the history of children says that were cancelled because nobody waits for them any more. */
    public static OperatorNote noteOfCancelled(Gate gate) {
        return new OperatorNote(
                "treadle",
                "job " + gate.waiter() + ", which spawned it as '" + gate.name() + "', waits for it no more");
    }

    /** The same after so many more were spawned, and perhaps the last one of them. */
    public Gate withSpawned(long spawned, boolean last) {
        return new Gate(id, waiter, name, spawned, last ? Long.valueOf(spawned) : need, ended, failed);
    }

    /** Whether its waiter runs after the jobs that it counts. */
    public boolean isAfter() {
        return id.equals(GateId.after(waiter));
    }

    /** How many jobs it counts so far. */
    public long counted() {
        return need != null && isAfter() ? need : spawned;
    }

    /** The same where those that its waiter runs after stand like this. */
    public Gate standing(Ends ends) {
        long bad = ends.failed + ends.cancelled;
        return new Gate(id, waiter, name, spawned, need, ends.succeeded + bad, bad);
    }

    /** The same after a change. */
    public Gate plus(Count count) {
        return new Gate(id, waiter, name, spawned, need, ended + count.ended, failed + count.failed);
    }

    /** The gate of a job that runs after so many others. */
    public static Gate after(JobId waiter, int jobs) {
        return new Gate(GateId.after(waiter), waiter, AFTER, 0, (long) jobs, 0, 0);
    }

    /**
     * How the jobs stand that another runs after.
     *
     * @param all       how many there are
     * @param succeeded how many have succeeded
     * @param failed    how many have failed for good
     * @param cancelled how many were cancelled, or deleted before they had ended
     */
    public record Ends(long all, long succeeded, long failed, long cancelled) {
        /** What becomes of the job that runs after them. */
        public Verdict under(AfterRule rule) {
            boolean allEnded = succeeded + failed + cancelled >= all;
            return switch (rule) {
                case AFTER_SUCCESS -> succeeded >= all ? Verdict.GO : cancelled > 0 ? Verdict.CANCEL : Verdict.WAIT;
                case AFTER_FAILURE -> failed > 0 ? Verdict.GO : allEnded ? Verdict.CANCEL : Verdict.WAIT;
                case AFTER_END -> allEnded ? Verdict.GO : Verdict.WAIT;
            };
        }
    }

    /** What becomes of a job that runs after others. */
    public enum Verdict {
        /** It waits on. */
        WAIT,
        /** It may run. */
        GO,
        /** What it waits for cannot happen any more. */
        CANCEL
    }

    /** Refuses a job that is to run after others which do not exist. */
    public static IllegalArgumentException missing(JobId waiter, Collection<JobId> missing) {
        return new IllegalArgumentException("Job " + waiter + " cannot run after "
                + (missing.size() == 1 ? "job " : missing.size() + " jobs, such as ")
                + missing.iterator().next() + ", which "
                + (missing.size() == 1 ? "does" : "do")
                + " not exist. Enqueue what it is to run after first, and commit"
                + " it, or use the same transaction; retention may have deleted it if it ended long ago.");
    }

    /** What the history of a job says that was cancelled because what it was to run after cannot happen any more. */
    public static OperatorNote noteOfCancelled(AfterRule rule) {
        return new OperatorNote(
                "treadle",
                rule == AfterRule.AFTER_SUCCESS
                        ? "a job that it was to run after was cancelled or deleted"
                        : "none of the jobs failed whose failure it was to run after");
    }

    /**
     * How a transition of a job changes the gate that counts it.
     *
     * @param ended  how many more have ended; -1 for one that runs again
     * @param failed how many of those have not succeeded
     */
    public record Count(long ended, long failed) {
        /** Nothing changes, but the gate has to be looked at. */
        public static final Count NONE = new Count(0, 0);

        /** What a transition changes; {@link #NONE} if nothing. */
        public static Count of(Transition change) {
            int before = ended(change.from());
            // what had ended is counted for good when it is deleted
            int after = change.to().state() == null ? 1 : ended(change.to());
            int failedBefore = before == 1 ? failed(change.from()) : 0;
            int failedAfter = change.to().state() == null ? before == 1 ? failedBefore : 1 : failed(change.to());
            Count count = new Count(after - before, failedAfter - failedBefore);
            return count.equals(NONE) ? NONE : count;
        }

        /** Both. */
        public Count plus(Count other) {
            return new Count(ended + other.ended, failed + other.failed);
        }

        private static int ended(Position at) {
            return at.state() != null && at.state().isFinal() ? 1 : 0;
        }

        private static int failed(Position at) {
            return at.state() != null && at.state().isFinal() && at.state() != StateName.SUCCEEDED ? 1 : 0;
        }
    }
}
