package dev.treadle.api;

import dev.treadle.capture.Capture;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NotCapturableException;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.Due;
import dev.treadle.storage.Operators.Act;
import dev.treadle.storage.RecurringJob;
import dev.treadle.storage.RecurringJob.Status;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.WriteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Work that recurs: declared by code, kept in the storage, changed by people while it runs. Each slot of a schedule makes
 * one job, on whatever node. Every method here may throw {@link StorageException}; those that take work also
 * {@link NotCapturableException}. Thread-safe.
 */
public final class RecurringJobs {
    /** How often a change is retried because another one came at the same moment. */
    private static final int TRIES_MAX = 100;

    private final StorageProvider provider;
    private final RecurringStorage storage;
    private final Capture capture;
    private final Enqueuer enqueuer;
    private final Runnable nudge;
    private final JobOptions options;
    private final @Nullable Act act;
    private final RecurringPlans plans = new RecurringPlans();

    /**
     * @param nudge run after a change, so that a server in this process looks at once
     * @param act   the audit entry of changes; null for none
     */
    RecurringJobs(
            StorageProvider storage,
            Capture capture,
            Enqueuer enqueuer,
            Runnable nudge,
            JobOptions options,
            @Nullable Act act) {
        this.provider = storage;
        this.storage = storage.recurring();
        this.capture = capture;
        this.enqueuer = enqueuer;
        this.nudge = nudge;
        this.options = options;
        this.act = act;
    }

    /** The same recurring jobs, but acts on them are written to the audit log, in the same transaction. */
    public RecurringJobs audited(Act act) {
        return new RecurringJobs(provider, capture, enqueuer, nudge, options, act);
    }

    /**
     * Declares a request that recurs, at every start again. Its call, options and rules are as declared from then on;
     * the schedule too, unless it was changed here. A paused one stays paused, a deleted one stays deleted.
     *
     * @param id its name, 1 to {@value RecurringJob#ID_CHARS_MAX} characters, which must not change from release to release
     */
    public void declare(String id, Schedule schedule, RecurringRules rules, JobRequest<?> request) {
        declare(id, schedule, rules, capture.of(request));
    }

    /** Declares the call of a lambda that recurs. */
    public void declare(String id, Schedule schedule, RecurringRules rules, JobLambda lambda) {
        declare(id, schedule, rules, capture.of(lambda, false));
    }

    /** Declares a call on a service that recurs. */
    public <S> void declare(String id, Schedule schedule, RecurringRules rules, TargetedLambda<S> lambda) {
        declare(id, schedule, rules, capture.of(lambda, true));
    }

    private void declare(String id, Schedule schedule, RecurringRules rules, Invocation invocation) {
        if (options.id() != null || options.parent() != null) {
            throw new IllegalArgumentException("The jobs of the recurring job '" + id
                    + "' get ids of their own: its JobOptions must have neither an id nor a parent.");
        }
        if (options.unique() != null) {
            // why refused: its jobs are made slot by slot, and a name that keeps one of them out would be a second rule
            throw new IllegalArgumentException("The jobs of the recurring job '" + id
                    + "' cannot be unique: a slot has one job already. Say with RecurringRules.withOverlap what happens"
                    + " while the run before has not ended, or give its jobs a key.");
        }
        JobTraits traits = capture.uses().filledIn(enqueuer.names().filledIn(options.traits(), invocation), invocation);
        change(
                id,
                found -> plans.declared(
                        found, id, new RecurringPlans.Declared(schedule, rules, invocation, traits), storage::now));
    }

    /**
     * Lets no further jobs come until {@link #resume}. Slots that pass until then do not count as missed. Existing
     * jobs still run.
     *
     * @param by  who pauses it: a person or a program
     * @param why the reason; null if none is given
     * @return Written or Missing
     */
    public WriteResult pause(String id, String by, @Nullable String why) {
        return changeThere(id, found -> plans.standing(found, Status.PAUSED, by, why, storage.now()));
    }

    /** Lets jobs come again, from the next slot on. */
    public WriteResult resume(String id, String by, @Nullable String why) {
        return changeThere(id, found -> plans.standing(found, Status.ACTIVE, by, why, storage.now()));
    }

    /** Gives it another schedule from now on, even if the code still declares the old one. */
    public WriteResult reschedule(String id, Schedule schedule, String by, @Nullable String why) {
        return changeThere(id, found -> plans.rescheduled(found, schedule.toText(), by, why, storage.now()));
    }

    /** Gives it the schedule back that the code declares. */
    public WriteResult resetSchedule(String id, String by, @Nullable String why) {
        return changeThere(id, found -> plans.rescheduled(found, found.plan().declared(), by, why, storage.now()));
    }

    /** Deletes it, even if the code still declares it. Existing jobs still run. */
    public WriteResult delete(String id, String by, @Nullable String why) {
        return changeThere(id, found -> plans.standing(found, Status.DELETED, by, why, storage.now()));
    }

    /** Restores a deleted one; any other one goes on as with {@link #resume}. */
    public WriteResult restore(String id, String by, @Nullable String why) {
        return change(id, found -> found == null ? null : plans.standing(found, Status.ACTIVE, by, why, storage.now()));
    }

    /**
     * Enqueues one job of it now, beside its schedule and whatever its rules say.
     *
     * @return empty if there is no such recurring job
     */
    public Optional<JobId> trigger(String id) {
        return find(id).map(found -> {
            JobOptions traits = JobOptions.DEFAULT.withTraits(found.plan().traits());
            if (act == null) {
                return enqueuer.one(found.plan().invocation(), Due.NOW, traits);
            }
            JobId job = enqueuer.by(
                    found.plan().invocation(),
                    traits,
                    fresh -> provider.operators().insert(act, fresh));
            nudge.run();
            return job;
        });
    }

    /** One recurring job; empty if it is not there or was deleted. */
    public Optional<RecurringJob> find(String id) {
        return storage.find(id).filter(RecurringJobs::isThere);
    }

    /** All recurring jobs that are there, by their ids. */
    public List<RecurringJob> list() {
        return all().stream().filter(RecurringJobs::isThere).toList();
    }

    /** Those that were deleted, by their ids. */
    public List<RecurringJob> listDeleted() {
        return all().stream().filter(job -> !isThere(job)).toList();
    }

    private List<RecurringJob> all() {
        List<RecurringJob> all = new ArrayList<>();
        List<RecurringJob> page;
        do {
            page = storage.list(all.isEmpty() ? null : all.get(all.size() - 1).id(), StorageProvider.BATCH_MAX);
            all.addAll(page);
        } while (page.size() == StorageProvider.BATCH_MAX);
        return all;
    }

    private static boolean isThere(RecurringJob job) {
        return job.standing().status() != Status.DELETED;
    }

    private WriteResult changeThere(String id, UnaryOperator<RecurringJob> change) {
        return change(id, found -> found == null || !isThere(found) ? null : change.apply(found));
    }

    /** Tries until no other write came in between; a change to nothing is Missing, one to the same writes nothing. */
    private WriteResult change(String id, Change change) {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            RecurringJob found = storage.find(id).orElse(null);
            RecurringJob changed = change.of(found);
            if (changed == null) {
                return WriteResult.MISSING;
            }
            if (changed.equals(found)) {
                return WriteResult.WRITTEN;
            }
            if (storage.write(changed, act)) {
                nudge.run();
                return WriteResult.WRITTEN;
            }
        }
        throw new StorageException(
                "The recurring job '" + id + "' was changed by others each time it was about to be. Try again.",
                null,
                true);
    }

    /** What becomes of what was found, if anything was. */
    private interface Change {
        @Nullable
        RecurringJob of(@Nullable RecurringJob found);
    }
}
