package dev.treadle.api;

import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.NotCapturableException;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.schedule.Recurring;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.StorageException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Recurring jobs: code declares them, the storage keeps them, and operators may change them at any time. Each slot of a
 * schedule enqueues one job, whichever node does it. {@link JobScheduler#recurring()} returns it. Every method may throw
 * {@link StorageException}; those that take work may also throw {@link NotCapturableException}. Thread-safe.
 */
public interface RecurringJobs {
    /** Returns the same recurring jobs; each change to them writes this audit row in its own transaction. */
    RecurringJobs audited(OperatorAct act);

    /**
     * Declares a recurring job that runs a request. Call this at every start. From then on its request, its options and
     * its rules are as declared here. So is its schedule, unless an operator has changed it. A paused one stays paused,
     * and a deleted one stays deleted.
     *
     * @param id its name, 1 to {@value RecurringJob#ID_CHARS_MAX} characters, which must stay the same from release to release
     */
    void declare(String id, Schedule schedule, RecurringRules rules, JobRequest<?> request);

    /** Declares a recurring job that makes the call of a lambda. */
    void declare(String id, Schedule schedule, RecurringRules rules, JobCall call);

    /** Declares a recurring job that makes a call on a service. */
    <S> void declare(String id, Schedule schedule, RecurringRules rules, ServiceCall<S> call);

    /**
     * Declares a recurring job that calls a method, for frameworks that find methods by an annotation.
     *
     * @param type   the class of the object to call, which the activator supplies
     * @param method the name of a method of it that has no parameters
     */
    void declare(String id, Schedule schedule, RecurringRules rules, Class<?> type, String method);

    /**
     * Declares the recurring job of a method, as its annotation says, for frameworks that find annotated methods. If its
     * schedule is {@link Recurring#OFF}, pauses what an earlier release declared; if it has one again, resumes that, unless
     * somebody else has paused it.
     *
     * @param type     the class of the object to call, which the activator supplies
     * @param method   one of it, without parameters
     * @param resolved what a text of the annotation stands for, such as a placeholder
     * @throws TreadleSetupException if it cannot be declared; the message names the method
     */
    void declare(Recurring recurring, Class<?> type, Method method, UnaryOperator<String> resolved);

    /**
     * Stops new jobs of it until {@link #resume}. Slots that pass in this time do not count as missed. Jobs that were
     * enqueued already run.
     *
     * @param by  who pauses it: a person or a program
     * @param why the reason; null if none is given
     * @return Written or Missing
     */
    WriteResult pause(String id, String by, @Nullable String why);

    /** Lets new jobs come again, from the next slot on. */
    WriteResult resume(String id, String by, @Nullable String why);

    /** Replaces its schedule from now on, even if the code still declares the old one. */
    WriteResult reschedule(String id, Schedule schedule, String by, @Nullable String why);

    /** Returns it to the schedule that the code declares. */
    WriteResult resetSchedule(String id, String by, @Nullable String why);

    /** Deletes it, even if the code still declares it. Jobs that were enqueued already run. */
    WriteResult delete(String id, String by, @Nullable String why);

    /** Restores a deleted one. For one that was not deleted this is {@link #resume}. */
    WriteResult restore(String id, String by, @Nullable String why);

    /**
     * Enqueues one job of it now, regardless of its schedule and its rules.
     *
     * @return empty if there is no such recurring job
     */
    Optional<JobId> trigger(String id);

    /** Finds one; empty if it does not exist or was deleted. */
    Optional<RecurringJob> find(String id);

    /** Lists all that were not deleted, by id. */
    List<RecurringJob> list();

    /** Lists those that were deleted, by id. */
    List<RecurringJob> listDeleted();
}
