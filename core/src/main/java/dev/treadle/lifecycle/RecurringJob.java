package dev.treadle.lifecycle;

import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.schedule.RecurringRules;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Work that recurs: what is to be done and when, how far it has come, and what people decided about it. Immutable.
 *
 * @param id       its name, given by the code that declares it
 * @param plan     what and when
 * @param progress how far it has come
 * @param standing whether it is to go on
 * @param version  how often it was written; 0 if it never was
 */
public record RecurringJob(String id, Plan plan, Progress progress, Standing standing, long version) {
    /** The longest id, in characters. */
    public static final int ID_CHARS_MAX = 200;

    /** What the ids of jobs derive from, below the slot's time. */
    private static final long NAMESPACE = 0x8000_7265_6375_7272L;

    /** @throws IllegalArgumentException if the id is blank or too long */
    public RecurringJob {
        if (id.isBlank() || id.length() > ID_CHARS_MAX) {
            throw new IllegalArgumentException("The id of a recurring job is '" + id + "' and must have 1 to "
                    + ID_CHARS_MAX + " characters and not be blank.");
        }
    }

    /**
     * What is done and when.
     *
     * @param invocation what its jobs call
     * @param traits     what its jobs ask for beside that
     * @param schedule   the schedule in force, as {@link dev.treadle.schedule.Schedule#toText text}
     * @param declared   the schedule that the code declares; another one than {@code schedule} if an operator changed
     *                   that
     * @param rules      what happens to runs that cannot follow the schedule
     */
    public record Plan(
            Invocation invocation, JobTraits traits, String schedule, String declared, RecurringRules rules) {
        /** The same with another schedule in force. */
        public Plan withSchedule(String schedule) {
            return new Plan(invocation, traits, schedule, declared, rules);
        }
    }

    /**
     * How far it has come.
     *
     * @param next    the first slot that has not been dealt with; null if there is none, or it is not known yet
     * @param slot    the last slot for which there is a job; null if there is none
     * @param job     that job
     * @param awaited the job that has to end before anything else happens here; null if none has to
     */
    public record Progress(
            @Nullable Instant next,
            @Nullable Instant slot,
            @Nullable JobId job,
            @Nullable JobId awaited) {
        /** Nothing has happened yet. */
        public static Progress from(@Nullable Instant next) {
            return new Progress(next, null, null, null);
        }

        /** The same with another next slot, waiting for nothing. */
        public Progress withNext(@Nullable Instant next) {
            return new Progress(next, slot, job, null);
        }
    }

    /**
     * Whether it is to go on.
     *
     * @param status whether it is
     * @param by     who decided that last; null if nobody did, so that the code decides
     * @param why    the reason given; null if none was
     * @param since  when it was decided
     */
    public record Standing(
            Status status, @Nullable String by, @Nullable String why, Instant since) {}

    /** Whether a recurring job goes on. */
    public enum Status {
        /** Its jobs come. */
        ACTIVE,
        /** No jobs until it is resumed. */
        PAUSED,
        /** They do not, also if the code declares it again. */
        DELETED
    }

    /** The id of the job of a slot: the same on every node. Begins with the slot's time, as ids of version 7 do. */
    public JobId jobId(Instant slot) {
        return JobId.of(new UUID(slot.toEpochMilli() << 16 | 0x8000L, NAMESPACE))
                .derive(id + " " + slot);
    }

    /** When the job of a slot is due. */
    public Due dueOf(Instant slot) {
        return new Due.At(slot.plus(jitterOf(jobId(slot))));
    }

    /** Between none and the jitter of the rules, the same on every node. */
    private Duration jitterOf(JobId job) {
        long most = plan.rules.jitter().toMillis();
        return Duration.ofMillis(
                most == 0 ? 0 : Long.remainderUnsigned(job.value().getLeastSignificantBits() >>> 1, most));
    }

    /** The same with other progress. */
    public RecurringJob with(Progress progress) {
        return new RecurringJob(id, plan, progress, standing, version);
    }

    /** The same with another plan. */
    public RecurringJob with(Plan plan) {
        return new RecurringJob(id, plan, progress, standing, version);
    }

    /** The same with another standing. */
    public RecurringJob with(Standing standing) {
        return new RecurringJob(id, plan, progress, standing, version);
    }

    /** The same as the storage has it after so many writes. */
    public RecurringJob withVersion(long version) {
        return new RecurringJob(id, plan, progress, standing, version);
    }
}
