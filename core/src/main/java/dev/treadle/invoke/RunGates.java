package dev.treadle.invoke;

import dev.treadle.job.Child;
import dev.treadle.job.ChildOptions;
import dev.treadle.job.Children;
import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobSuspension;
import dev.treadle.job.JoinRule;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.RunId;
import dev.treadle.outcome.Outcome;
import dev.treadle.payload.JsonResults;
import dev.treadle.payload.RequestResults;
import dev.treadle.payload.UnreadableArgumentsException;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.GateStorage.Answer;
import dev.treadle.storage.GateStorage.EventAnswer;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.StorageProvider;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The gates of one run: spawns children, finds those that were spawned before, and suspends the run where it has to wait.
 * Used by the thread of the run.
 */
final class RunGates {
    /** The longest wait and the longest sleep. */
    private static final Duration PATIENCE_MAX = Duration.ofDays(3_650);

    private final Run run;
    private final RunSteps steps;
    private final Duration ahead;
    private final Shared shared;
    /** Whether the run waits at a gate, whatever its code makes of that. */
    private boolean suspended;
    /** For how long it sleeps; null if it does not. */
    private @Nullable Duration asleep;

    private @Nullable NotRunnableException unreadable;

    private boolean leaseLost;

    /** @param ahead by how much the storage's clock is ahead of that of this node: clocks of nodes differ */
    RunGates(Run run, RunSteps steps, Duration ahead, Shared shared) {
        this.run = run;
        this.steps = steps;
        this.ahead = ahead;
        this.shared = shared;
    }

    /**
     * What the runs of a node share.
     *
     * @param runs    keeps gates and endings
     * @param maker   makes the jobs of children
     * @param results reads what they returned
     * @param kept    told of children after the commit that keeps them
     */
    record Shared(
            RunStorage runs, ChildJobs maker, JsonResults results, InstantSource time, Consumer<List<NewJob>> kept) {}

    /** Spawns one child, unless it is there. */
    <R> Child<R> one(String name, JobRequest<R> request, ChildOptions options) {
        GateId id = begin(name);
        // looked for first, so that interceptors and counters hear of a child once, and not at each run that finds it
        Gate known = storage().find(id).orElse(null);
        if (known == null || known.need() == null) {
            spawn(name, 0, List.of(make(id, 0, request, options)), true);
        }
        return new JoinableChild<>(new JoinableChildren<>(this, name, 1, RequestResults.of(request)));
    }

    /** Spawns those children that are not there yet. */
    <R> Children<R> many(String name, Stream<? extends JobRequest<R>> requests, ChildOptions options) {
        GateId id = begin(name);
        Gate known = storage().find(id).orElse(null);
        try (requests) {
            if (known != null && known.need() != null) {
                Type type = requests.findFirst().map(RequestResults::of).orElse(Object.class);
                return new JoinableChildren<>(this, name, known.need(), type);
            }
            return rest(
                    name,
                    known == null ? 0 : known.spawned(),
                    requests.sequential().iterator(),
                    options);
        }
    }

    private <R> Children<R> rest(
            String name, long before, Iterator<? extends JobRequest<R>> all, ChildOptions options) {
        GateId id = idOf(name);
        Type type = Object.class;
        long count = 0;
        List<NewJob> batch = new ArrayList<>();
        while (all.hasNext()) {
            JobRequest<R> request = all.next();
            type = count == 0 ? RequestResults.of(request) : type;
            if (count >= before) {
                batch.add(make(id, count, request, options));
            }
            count++;
            if (batch.size() == StorageProvider.BATCH_MAX && all.hasNext()) {
                spawn(name, count - batch.size(), batch, false);
                batch.clear();
            }
        }
        if (count < before) {
            throw new IllegalStateException(
                    "The stream of '" + name + "' gave " + count + " requests, and earlier runs of"
                            + " job " + run.jobId() + " have spawned " + before
                            + " of it. Give the same requests in the same order at"
                            + " each run: read them in a step, or from data that does not change.");
        }
        spawn(name, count - batch.size(), batch, true);
        return new JoinableChildren<>(this, name, count, type);
    }

    private NewJob make(GateId gate, long ordinal, JobRequest<?> request, ChildOptions options) {
        NewJob child = shared.maker.make(gate.child(ordinal), gate, request, options);
        Instant mine = run.lease().job().traits().deadline();
        Instant own = child.traits().deadline();
        // a job that was run again after its deadline has none any more
        boolean isBound = mine != null && mine.isAfter(shared.time.instant()) && (own == null || own.isAfter(mine));
        return isBound
                ? new NewJob(
                        child.id(),
                        child.invocation(),
                        child.due(),
                        child.traits().withDeadline(mine))
                : child;
    }

    private void spawn(String name, long from, List<NewJob> children, boolean last) {
        List<NewJob> kept = List.copyOf(children);
        gate(storage().spawn(RunId.of(run.lease()), name, from, kept, last));
        if (!kept.isEmpty()) {
            shared.kept.accept(kept);
            shared.maker.kept(kept);
        }
    }

    private GateId begin(String name) {
        run.demandOwnThreadForGates();
        mustHoldLease();
        steps.reserve(name);
        return GateId.of(run.jobId(), name);
    }

    private void mustHoldLease() {
        if (leaseLost || run.hasLostLease()) {
            throw steps.leaseLost();
        }
    }

    /**
     * Waits at a gate: gives its state if it is open under this rule.
     *
     * @throws JobSuspension if it is not
     */
    Gate await(String name, JoinRule rule) {
        run.demandOwnThreadForGates();
        mustHoldLease();
        Gate gate = storage()
                .find(GateId.of(run.jobId(), name))
                .orElseThrow(() -> new IllegalStateException("The gate '" + name + "' of job " + run.jobId()
                        + " is not there: its rows were deleted by hand."));
        if (!gate.isOpen(rule)) {
            gate = gate(storage().await(RunId.of(run.lease()), name, rule));
        }
        if (gate.isOpen(rule)) {
            return gate;
        }
        suspended = true;
        throw new JobSuspension(name);
    }

    /** Gives the event of this name; empty if it has not come in time. */
    <T> Optional<T> event(String name, Class<T> type, Duration patience) {
        begin(name);
        EventAnswer answer = storage().awaitEvent(RunId.of(run.lease()), name, type.getName(), bounded(patience));
        if (answer instanceof EventAnswer.Here here) {
            return Optional.of(read(name, here.value(), type));
        }
        if (answer instanceof EventAnswer.NotYet) {
            suspended = true;
            throw new JobSuspension(name);
        }
        if (answer instanceof EventAnswer.LeaseLost) {
            leaseLost = true;
            throw steps.leaseLost();
        }
        return Optional.empty();
    }

    private <T> T read(String name, String value, Class<T> type) {
        try {
            return shared.results.read(value, type);
        } catch (UnreadableArgumentsException e) {
            NotRunnableException parked = new NotRunnableException(
                    NotRunnableException.Missing.ARGUMENTS,
                    "The event '" + name + "' does not fit the code of today. " + e.getMessage()
                            + " Deploy code that reads it, or run the job from the start.",
                    e);
            unreadable = parked;
            throw parked;
        }
    }

    private static Duration bounded(Duration asked) {
        return asked.compareTo(PATIENCE_MAX) > 0 ? PATIENCE_MAX : asked.isNegative() ? Duration.ZERO : asked;
    }

    /** Sleeps once in the life of the job. When it wakes, by the clock of the storage, is a step, so that each run knows it. */
    void sleep(String name, Duration duration) {
        run.demandOwnThreadForGates();
        Instant now = shared.time.instant().plus(ahead);
        String until;
        try {
            until = steps.once(
                    name, String.class, () -> now.plus(bounded(duration)).toString());
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("The wake-up time of '" + name + "' cannot be recorded.", e);
        }
        Duration left = Duration.between(now, Instant.parse(until));
        if (left.compareTo(Duration.ZERO) > 0) {
            asleep = left;
            throw new JobSuspension(name);
        }
    }

    /** How the run ends if its code waits for something; null if it does not. */
    @Nullable
    Outcome suspension(Duration ranFor) {
        if (asleep != null) {
            return new Outcome.Snoozed(ranFor, asleep);
        }
        return suspended ? new Outcome.Suspended(ranFor) : null;
    }

    /** Which event could not be read; null if all could. */
    @Nullable
    NotRunnableException unreadable() {
        return unreadable;
    }

    private Gate gate(Answer answer) {
        if (answer instanceof Answer.Written written) {
            return written.gate();
        }
        leaseLost = true;
        throw steps.leaseLost();
    }

    private GateStorage storage() {
        return shared.runs.gates();
    }

    RunStorage runs() {
        return shared.runs;
    }

    JsonResults results() {
        return shared.results;
    }

    GateId idOf(String name) {
        return GateId.of(run.jobId(), name);
    }

    boolean hasLostLease() {
        return leaseLost;
    }

    /** One child, as the only one of its gate. */
    private record JoinableChild<R>(JoinableChildren<R> only) implements Child<R> {
        @Override
        public JobId id() {
            return only.id(0);
        }

        @Override
        @SuppressWarnings("NullAway")
        public R join() {
            return only.join(JoinRule.ALL_SUCCEED).succeeded().findFirst().orElse(null);
        }
    }
}
