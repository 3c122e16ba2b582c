package dev.treadle.enqueue;

import dev.treadle.api.JobCall;
import dev.treadle.api.JobOptions;
import dev.treadle.api.RecurringJobs;
import dev.treadle.api.ServiceCall;
import dev.treadle.capture.Capture;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.RecurringJob.Status;
import dev.treadle.schedule.Recurring;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.TransactionalStorage;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Recurring jobs of a storage. Thread-safe. */
final class DefaultRecurringJobs implements RecurringJobs {
    /** How often a change is tried again because somebody else changed the same in the same moment. */
    private static final int TRIES_MAX = 100;

    private final Supplier<StorageAccess> access;
    private final Supplier<TransactionalStorage> reading;
    private final Capture capture;
    private final Runnable nudge;
    private final JobOptions options;
    private final @Nullable OperatorAct act;
    private final RecurringPlans plans = new RecurringPlans();

    /**
     * @param access where a call goes now
     * @param reading what a call that only reads goes to now
     * @param nudge run after a change, so that a server in this process need not rest as long as before
     * @param act   what is written down of changes; null if nothing is
     */
    DefaultRecurringJobs(
            Supplier<StorageAccess> access,
            Supplier<TransactionalStorage> reading,
            Capture capture,
            Runnable nudge,
            JobOptions options,
            @Nullable OperatorAct act) {
        this.access = access;
        this.reading = reading;
        this.capture = capture;
        this.nudge = nudge;
        this.options = options;
        this.act = act;
    }

    private RecurringStorage storage() {
        return access.get().storage().recurring();
    }

    private Instant now() {
        return storage().now();
    }

    @Override
    public RecurringJobs audited(OperatorAct act) {
        return new DefaultRecurringJobs(access, reading, capture, nudge, options, act);
    }

    @Override
    public void declare(String id, Schedule schedule, RecurringRules rules, JobRequest<?> request) {
        declare(id, schedule, rules, capture.of(request));
    }

    @Override
    public void declare(String id, Schedule schedule, RecurringRules rules, JobCall call) {
        declare(id, schedule, rules, capture.of(call, false));
    }

    @Override
    public <S> void declare(String id, Schedule schedule, RecurringRules rules, ServiceCall<S> call) {
        declare(id, schedule, rules, capture.of(call, true));
    }

    @Override
    public void declare(String id, Schedule schedule, RecurringRules rules, Class<?> type, String method) {
        declare(id, schedule, rules, capture.of(type, method));
    }

    @Override
    public void declare(Recurring recurring, Class<?> type, Method method, UnaryOperator<String> resolved) {
        new RecurringMethod(recurring, type, method, resolved).declare(this, this::onQueue);
    }

    private RecurringJobs onQueue(String queue) {
        return new DefaultRecurringJobs(access, reading, capture, nudge, options.withQueue(queue), act);
    }

    private void declare(String id, Schedule schedule, RecurringRules rules, Invocation invocation) {
        if (options.id() != null || options.parent() != null) {
            throw new IllegalArgumentException("The jobs of the recurring job '" + id
                    + "' get ids of their own: its JobOptions must have neither an id nor a parent.");
        }
        if (options.dueAt() != null || options.delay() != null || options.afterJobs() != null) {
            throw new IllegalArgumentException("The jobs of the recurring job '" + id
                    + "' are due when its schedule says: its JobOptions must have neither a time nor a delay, and no"
                    + " jobs to run after.");
        }
        if (options.traits().deadline() != null) {
            throw new IllegalArgumentException("The jobs of the recurring job '" + id
                    + "' cannot have the one deadline "
                    + options.traits().deadline() + ", which would pass once for all of its slots. Give each run a"
                    + " timeout, or let its job enqueue another one with a deadline.");
        }
        if (options.unique() != null) {
            // why refused: its jobs are made slot by slot, and a name that keeps one of them out would be a second rule
            throw new IllegalArgumentException("The jobs of the recurring job '" + id
                    + "' cannot be unique: a slot has one job already. Say with RecurringRules.withOverlap what happens"
                    + " while the run before has not ended, or give its jobs a key.");
        }
        JobTraits traits = access.get().enqueuer().traits(invocation, options);
        change(
                id,
                found -> plans.declared(
                        found, id, new RecurringPlans.Declared(schedule, rules, invocation, traits), this::now));
    }

    @Override
    public WriteResult pause(String id, String by, @Nullable String why) {
        return changeThere(id, found -> plans.standing(found, Status.PAUSED, by, why, now()));
    }

    @Override
    public WriteResult resume(String id, String by, @Nullable String why) {
        return changeThere(id, found -> plans.standing(found, Status.ACTIVE, by, why, now()));
    }

    @Override
    public WriteResult reschedule(String id, Schedule schedule, String by, @Nullable String why) {
        return changeThere(id, found -> plans.rescheduled(found, schedule.toText(), by, why, now()));
    }

    @Override
    public WriteResult resetSchedule(String id, String by, @Nullable String why) {
        return changeThere(id, found -> plans.rescheduled(found, found.plan().declared(), by, why, now()));
    }

    @Override
    public WriteResult delete(String id, String by, @Nullable String why) {
        return changeThere(id, found -> plans.standing(found, Status.DELETED, by, why, now()));
    }

    @Override
    public WriteResult restore(String id, String by, @Nullable String why) {
        return change(id, found -> found == null ? null : plans.standing(found, Status.ACTIVE, by, why, now()));
    }

    @Override
    public Optional<JobId> trigger(String id) {
        return find(id).map(found -> {
            StorageAccess here = access.get();
            Invocation invocation = found.plan().invocation();
            JobTraits traits = found.plan().traits();
            if (act == null) {
                return here.enqueuer().planned(invocation, traits, null);
            }
            JobId job = here.enqueuer()
                    .planned(invocation, traits, fresh -> here.storage().insert(List.of(fresh), act));
            here.afterCommit().accept(nudge);
            return job;
        });
    }

    @Override
    public Optional<RecurringJob> find(String id) {
        return reading.get().recurring().find(id).filter(DefaultRecurringJobs::isThere);
    }

    @Override
    public List<RecurringJob> list() {
        return all().stream().filter(DefaultRecurringJobs::isThere).toList();
    }

    @Override
    public List<RecurringJob> listDeleted() {
        return all().stream().filter(job -> !isThere(job)).toList();
    }

    private List<RecurringJob> all() {
        // by id: each page begins with the last one of the page before
        Map<String, RecurringJob> all = new LinkedHashMap<>();
        List<RecurringJob> page;
        String from = "";
        do {
            page = reading.get().recurring().list(from, StorageProvider.BATCH_MAX);
            for (RecurringJob job : page) {
                all.put(job.id(), job);
                from = job.id();
            }
        } while (page.size() == StorageProvider.BATCH_MAX);
        return List.copyOf(all.values());
    }

    private static boolean isThere(RecurringJob job) {
        return job.standing().status() != Status.DELETED;
    }

    private WriteResult changeThere(String id, UnaryOperator<RecurringJob> change) {
        return change(id, found -> found == null || !isThere(found) ? null : change.apply(found));
    }

    /** Tries until nobody else has written in between; a change to nothing is Missing, one to the same writes nothing. */
    private WriteResult change(String id, Change change) {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            RecurringJob found = storage().find(id).orElse(null);
            RecurringJob changed = change.of(found);
            if (changed == null) {
                return WriteResult.MISSING;
            }
            if (changed.equals(found)) {
                return WriteResult.WRITTEN;
            }
            if (storage().write(changed, act)) {
                access.get().afterCommit().accept(nudge);
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
