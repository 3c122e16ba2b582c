package dev.treadle.testing;

import dev.treadle.job.Job;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobInterceptor;
import dev.treadle.job.JobState;
import dev.treadle.job.NodeId;
import dev.treadle.server.ManualServer;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes the planned faults happen. It is told of each place that a run comes to: of its beginning and end as the outermost
 * interceptor, of its steps by {@link WatchedStorage}. Jobs run one after another, so one thread at a time uses it; others
 * only ask whether the process is dead.
 */
final class Faults implements JobInterceptor {
    /** How often other nodes look until they must have taken a job away. */
    private static final int LOOKS_MAX = 10_000;

    /** How far time moves if the node that looks does not say. */
    private static final Duration LEAST_STEP = Duration.ofMillis(100);

    private final SettableTime time;
    private final List<Fault> planned = new ArrayList<>();
    private final Set<String> stepsDone = new LinkedHashSet<>();
    private @Nullable ManualServer server;
    private @Nullable StorageProvider storage;
    private @Nullable Job running;
    private @Nullable NodeId node;
    private volatile @Nullable Fault dead;

    Faults(SettableTime time) {
        this.time = time;
    }

    /** @param storage as other processes reach it */
    void happenTo(ManualServer server, StorageProvider storage) {
        this.server = server;
        this.storage = storage;
    }

    void plan(Fault fault) {
        planned.add(fault);
    }

    /** Drops a fault; false if it has happened. */
    boolean drop(Fault fault) {
        return planned.remove(fault);
    }

    /** @throws SimulatedCrash if the process has crashed, and code of the job that ran in it still does something */
    void mustBeAlive() {
        Fault crash = dead;
        if (crash != null) {
            throw new SimulatedCrash("The process has crashed (" + crash + "), so this call reaches no storage.");
        }
    }

    @Override
    public @Nullable Object onRun(Job job, JobContext context, Next next) throws Throwable {
        running = job;
        node = context.node();
        try {
            comesTo(Fault.Place.BEFORE_RUN, null);
            Object result = next.run();
            // code that catches everything comes here after a crash, too
            mustBeAlive();
            comesTo(Fault.Place.AFTER_RUN, null);
            return result;
        } finally {
            running = null;
            dead = null;
        }
    }

    /** The work of a step was done, and is about to be recorded. */
    void recordsStep(String name) {
        comesTo(Fault.Place.IN_STEP, name);
    }

    /** A step was recorded. */
    void recordedStep(String name) {
        stepsDone.add(name);
        comesTo(Fault.Place.AFTER_STEP, name);
    }

    private void comesTo(Fault.Place place, @Nullable String step) {
        Job job = running;
        if (job == null) {
            return;
        }
        for (Fault fault : planned) {
            if (fault.hits(job, place, step)) {
                planned.remove(fault);
                happens(fault, job);
                return;
            }
        }
    }

    private void happens(Fault fault, Job job) {
        ManualServer hit = Objects.requireNonNull(server);
        switch (fault.kind()) {
            case CRASH -> {
                hit.crash();
                dead = fault;
                throw new SimulatedCrash("The process crashes here: " + fault + ".");
            }
            case LEASE_LOST -> {
                hit.hang();
                standStill(fault, job, hit);
            }
        }
    }

    private void standStill(Fault fault, Job job, ManualServer others) {
        for (int looks = 0; holdsLease(job); looks++) {
            if (looks == LOOKS_MAX) {
                throw new IllegalStateException(fault + " did not happen: no other node took job " + job.id()
                        + " away, although " + others.self().name() + " stood still for very long.");
            }
            Duration next = others.rescue().orElse(LEAST_STEP);
            time.forward(next.isZero() ? LEAST_STEP : next);
        }
    }

    private boolean holdsLease(Job job) {
        return Objects.requireNonNull(storage)
                .queries()
                .find(job.id())
                .map(story -> story.job().state() instanceof JobState.Processing now
                        && now.node().equals(node))
                .orElse(false);
    }

    /** What the test planned and what did not happen; empty if all did. */
    String notHappened() {
        if (planned.isEmpty()) {
            return "";
        }
        String missing = planned.stream().map(fault -> "\n  " + fault).collect(Collectors.joining());
        // said once
        planned.clear();
        return missing
                + "\nNo run came to that place. "
                + (stepsDone.isEmpty() ? "No step was done." : "Steps that were done: " + String.join(", ", stepsDone))
                + ". Jobs run when the test says so: drain(), advance(…).";
    }
}
