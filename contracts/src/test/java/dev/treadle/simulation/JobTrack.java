package dev.treadle.simulation;

import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.NewJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must be true of one job. */
final class JobTrack {
    final JobId id;
    final String name;
    final NewJob inserted;
    /** How many attempts it may have. */
    final int attemptsMax;

    StateName state;
    int attempt;
    /** Of the lease that holds; 0 if none does. */
    long token;

    long lastToken;
    /** Rows of history. */
    int rows;

    @Nullable
    Event lastEvent;
    /** When it may run, while it is Scheduled. */
    Instant dueAt = Instant.MIN;

    boolean acknowledged;
    /** Which invariant is broken if the storage disagrees after the present write; null if it may not touch this job. */
    @Nullable
    Invariant touched;

    /** Nodes on which its user code is under way; one may be there twice. */
    final List<SimNode> runningOn = new ArrayList<>();

    /** What each step returned to the code of the job: it is recorded, and stays so. */
    final Map<String, Long> steps = new HashMap<>();

    /** What it returned each time that it succeeded, as JSON. */
    final Set<String> results = new HashSet<>();

    /** When its code first asked for each of its sleeps, in nanoseconds. */
    final Map<String, Long> sleepsCalled = new HashMap<>();

    /** When it was first told that it sleeps. */
    final Map<String, Long> sleepsBegun = new HashMap<>();

    private final Set<String> told = new HashSet<>();
    private final Map<Long, Epoch> epochs = new HashMap<>();
    private final Set<Long> started = new HashSet<>();
    private final Map<Long, Ended> ended = new HashMap<>();
    private Epoch epoch = new Epoch();

    JobTrack(NewJob inserted, String name, int attemptsMax, StateName state) {
        this.id = inserted.id();
        this.name = name;
        this.inserted = inserted;
        this.attemptsMax = attemptsMax;
        this.state = state;
    }

    /** The same job was kept before and deleted: runs from then may still begin or end. */
    void remember(JobTrack before) {
        epochs.putAll(before.epochs);
        started.addAll(before.started);
        ended.putAll(before.ended);
    }

    void become(StateName next, Invariant otherwise) {
        state = next;
        touched = otherwise;
    }

    void leased(long token) {
        this.token = token;
        lastToken = token;
        attempt++;
        epochs.put(token, epoch);
    }

    void told(long token, @Nullable Event event) {
        if (event != null) {
            rows++;
            lastEvent = event;
            told.add(token + " " + event);
        }
    }

    boolean wasTold(long token, @Nullable Event event) {
        return told.contains(token + " " + event);
    }

    /** All attempts lie before it again. */
    void newEpoch() {
        epoch = new Epoch();
        attempt = 0;
    }

    /** What its steps returned is forgotten, and it begins from the start. */
    void forgetSteps() {
        steps.clear();
        sleepsCalled.clear();
        sleepsBegun.clear();
    }

    /** User code begins under a lease; false if it did so before. */
    boolean start(long token) {
        if (!started.add(token)) {
            return false;
        }
        Epoch of = epochs.get(token);
        if (of != null) {
            of.starts++;
        }
        return true;
    }

    /** What a run is told of waiting stands, whatever its code does then. */
    void ended(long token, Ended how) {
        ended.merge(token, how, (before, now) -> {
            boolean waits = before == Ended.SUSPENDED && now != Ended.ASLEEP || before == Ended.ASLEEP;
            return waits ? before : now;
        });
    }

    boolean allows(long token, Transition ending) {
        Ended how = ended.get(token);
        return how == null ? ending.trigger() != Trigger.SUCCEED : how.allows(ending);
    }

    boolean hasStarted(long token) {
        return started.contains(token);
    }

    void stopped(long token) {
        epochs.get(token).stopped++;
    }

    boolean isWithinBounds(long token) {
        Epoch of = epochs.get(token);
        return of != null && of.starts <= attemptsMax + of.stopped;
    }

    /** Nodes on which its user code runs and that are still there. */
    List<SimNode> living() {
        List<SimNode> living = new ArrayList<>(runningOn);
        living.removeIf(SimNode::isGone);
        return living;
    }

    @Override
    public String toString() {
        return name + " " + state + " attempt " + attempt + "/" + attemptsMax + (token == 0 ? "" : " token " + token);
    }

    /** The time between two moves that give it all its attempts back. */
    private static final class Epoch {
        private int starts;
        private int stopped;
    }
}
