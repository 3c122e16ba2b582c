package dev.treadle.simulation;

import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JoinRule;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.GateStorage.Answer;
import dev.treadle.storage.GateStorage.EventAnswer;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What must hold of gates, worked out from where the children are, and not by counting what ended. */
final class GateCheck {
    private final Ledger ledger;
    private final Notes notes;
    private final SimTime time;
    private final Map<GateId, KnownGate> gates = new LinkedHashMap<>();
    private final Map<JobId, List<KnownGate>> byWaiter = new HashMap<>();
    /** What came for jobs, by name. */
    private final Map<JobId, Map<String, String>> events = new HashMap<>();

    private final Set<JobId> endedBadly = new HashSet<>();

    GateCheck(Ledger ledger, Notes notes, SimTime time) {
        this.ledger = ledger;
        this.notes = notes;
        this.time = time;
    }

    private KnownGate gate(JobId waiter, String name) {
        return gates.computeIfAbsent(GateId.of(waiter, name), id -> {
            KnownGate fresh = new KnownGate(id, waiter, name, ledger);
            of(waiter).add(fresh);
            return fresh;
        });
    }

    private List<KnownGate> of(JobId waiter) {
        return byWaiter.computeIfAbsent(waiter, unseen -> new ArrayList<>());
    }

    private boolean demandLease(RunId run, boolean written) {
        JobTrack track = ledger.find(run.job());
        boolean held = track != null && track.state == StateName.PROCESSING && track.token == run.token();
        notes.demand(
                held == written,
                held ? Invariant.WHAT_IS_WRITTEN_IS_KEPT : Invariant.A_STALE_LEASE_NEVER_WRITES,
                () -> "under token " + run.token() + " of " + track + " it is said to be "
                        + (written ? "written" : "refused"));
        return held;
    }

    /** A run has spawned children; gives those that are new. */
    List<NewJob> spawned(RunId run, String name, long from, List<NewJob> children, boolean last, Answer answer) {
        if (!demandLease(run, answer instanceof Answer.Written)) {
            notes.reached(Sometimes.SPAWNED_WITHOUT_A_LEASE);
            return List.of();
        }
        KnownGate gate = gate(run.job(), name);
        List<NewJob> fresh = List.of();
        if (gate.spawned() == from && !gate.sealed) {
            fresh = children.stream()
                    .filter(child -> ledger.find(child.id()) == null)
                    .toList();
            fresh.forEach(ledger::inserted);
            children.forEach(child -> gate.children.add(child.id()));
            gate.sealed = last;
            // who was cancelled and runs again waits for them now
            gate.mayCancel = 0;
        }
        demandSame(((Answer.Written) answer).gate());
        return fresh;
    }

    /** What a storage knows of a gate must be what has happened. */
    void demandSame(Gate found) {
        KnownGate known = gate(found.waiter(), found.name());
        long failed = known.in(StateName.FAILED) + known.in(StateName.CANCELLED);
        long ended = failed + known.in(StateName.SUCCEEDED);
        notes.demand(
                found.spawned() == known.spawned() && (found.need() != null) == known.sealed,
                Invariant.WHAT_IS_WRITTEN_IS_KEPT,
                () -> known + " is known as " + found);
        notes.demand(
                found.ended() == ended && found.failed() == failed,
                Invariant.A_GATE_KNOWS_WHAT_HAS_ENDED,
                () -> known + " is known as " + found + ", and " + ended + " have ended, " + failed + " of them badly");
    }

    void awaits(RunId run, String name, JoinRule rule, Answer answer) {
        if (demandLease(run, answer instanceof Answer.Written)) {
            of(run.job()).forEach(KnownGate::awaitNothing);
            gate(run.job(), name).awaited = rule;
            demandSame(((Answer.Written) answer).gate());
        }
    }

    void awaitsEvent(RunId run, String name, Duration patience, EventAnswer answer) {
        if (!demandLease(run, !(answer instanceof EventAnswer.LeaseLost))) {
            return;
        }
        KnownGate gate = gate(run.job(), name);
        Instant until = gate.until == null ? time.instant().plus(patience) : gate.until;
        gate.until = until;
        String came = eventOf(run.job(), name);
        boolean isOver = !until.isAfter(time.instant());
        if (answer instanceof EventAnswer.Here here) {
            notes.demand(
                    here.value().equals(came) && !gate.over,
                    Invariant.AN_EVENT_COMES_ONCE,
                    () -> gate + " is given " + here.value() + ", and " + came + " has come");
            return;
        }
        notes.demand(
                gate.over || came == null,
                Invariant.AN_EVENT_COMES_ONCE,
                () -> gate + " was answered " + answer + ", and " + came + " has come");
        gate.over |= isOver;
        notes.demand(
                gate.over == answer instanceof EventAnswer.Over,
                Invariant.AN_EVENT_COMES_ONCE,
                () -> gate + " was answered " + answer + " at " + time.instant());
        of(run.job()).forEach(KnownGate::awaitNothing);
        gate.awaitsEvent = !gate.over;
    }

    /** Somebody has signalled to a job. */
    void signalled(JobId job, String name, String value, boolean written) {
        JobTrack track = ledger.find(job);
        KnownGate gate = gates.get(GateId.of(job, name));
        boolean isOver = gate != null && gate.over;
        boolean may = track != null && !track.state.isFinal() && !isOver && eventOf(job, name) == null;
        notes.demand(
                may == written,
                Invariant.AN_EVENT_COMES_ONCE,
                () -> "a signal to " + track + " for " + name + " is said to be " + (written ? "kept" : "refused"));
        if (written) {
            events.computeIfAbsent(job, unseen -> new HashMap<>()).put(name, value);
            notes.reached(
                    gate == null || !gate.awaitsEvent
                            ? Sometimes.EVENT_CAME_BEFORE_IT_WAS_AWAITED
                            : Sometimes.EVENT_CAME_IN_TIME);
        } else if (isOver) {
            notes.reached(Sometimes.EVENT_CAME_TOO_LATE);
        }
    }

    @Nullable
    String eventOf(JobId job, String name) {
        return events.getOrDefault(job, Map.of()).get(name);
    }

    /** A job has failed for good or was cancelled, so nobody waits for what it spawned and was not complete. */
    void ended(JobTrack track) {
        boolean badly = track.state == StateName.FAILED || track.state == StateName.CANCELLED;
        // writes that come too late may name it again
        if (badly && endedBadly.add(track.id)) {
            of(track.id).stream().filter(gate -> !gate.isComplete()).forEach(KnownGate::nobodyWaits);
        }
        if (track.state.isFinal()) {
            of(track.id).forEach(KnownGate::awaitNothing);
        }
        if (track.state == StateName.SUCCEEDED && !of(track.id).isEmpty() && gateOf(track) == null) {
            notes.reached(Sometimes.ROOT_SUCCEEDED_AFTER_A_WAIT);
        }
    }

    /** A job was run again. */
    void runAgain(JobTrack track, boolean fromStart) {
        endedBadly.remove(track.id);
        KnownGate gate = gateOf(track);
        if (gate != null) {
            gate.excused.add(track.id);
            JobTrack waiter = ledger.find(gate.waiter);
            if (waiter != null && waiter.state == StateName.WAITING) {
                notes.reached(Sometimes.CHILD_RAN_AGAIN_WHILE_ITS_PARENT_WAITED);
            }
        }
        if (fromStart) {
            events.remove(track.id);
            of(track.id).stream().filter(mine -> mine.until != null).forEach(mine -> gates.remove(mine.id));
            of(track.id).removeIf(mine -> mine.until != null);
            notes.reached(Sometimes.RUN_FROM_THE_START);
        }
    }

    void deleted(JobTrack track) {
        List<KnownGate> mine = byWaiter.remove(track.id);
        if (mine != null) {
            mine.forEach(gate -> gates.remove(gate.id));
        }
        events.remove(track.id);
        endedBadly.remove(track.id);
    }

    private @Nullable KnownGate gateOf(JobTrack child) {
        GateId id = child.inserted.traits().gate();
        return id == null ? null : gates.get(id);
    }

    /** Some jobs go on, decided where all jobs were before; gives the gates that let them. */
    void resumed(List<JobTrack> tracks) {
        for (JobTrack track : tracks) {
            notes.demand(
                    track.state == StateName.WAITING,
                    Invariant.A_GATE_OPENS_ONCE,
                    () -> track + " was let go on although it does not wait");
            KnownGate gate = of(track.id).stream()
                    .filter(mine -> letsGoOn(mine))
                    .findFirst()
                    .orElseThrow(() -> notes.broken(
                            Invariant.A_GATE_OPENS_WHEN_ITS_NEED_IS_MET, track + " was let go on at " + of(track.id)));
            notes.reached(Sometimes.GATE_OPENED);
            if (gate.awaited != null && !gate.isComplete()) {
                notes.reached(Sometimes.GATE_OPENED_BEFORE_ALL_HAD_ENDED);
                gate.nobodyWaits();
            }
            gate.awaitNothing();
        }
    }

    private boolean letsGoOn(KnownGate gate) {
        return gate.isOpen() || gate.awaitsEvent && (eventOf(gate.waiter, gate.name) != null || gate.isOverdue(time));
    }

    /** Jobs were cancelled because nobody waits for them. */
    void demandUnneeded(JobTrack track) {
        KnownGate gate = gateOf(track);
        notes.demand(
                gate != null && gate.children.indexOf(track.id) < gate.mayCancel,
                Invariant.ONLY_WHAT_NOBODY_WAITS_FOR_IS_CANCELLED,
                () -> track + " was cancelled, a child of " + gate);
    }

    /**
     * What has not ended although nobody waits for it any more; null if there is nothing.
     *
     * @param runs whether what still runs has not ended, wherever its job is
     */
    @Nullable
    String livingLeaf(boolean runs) {
        for (KnownGate gate : gates.values()) {
            for (int child = 0; child < gate.mayCancel; child++) {
                JobTrack track = ledger.track(gate.children.get(child));
                boolean lives =
                        !track.state.isFinal() || runs && !track.living().isEmpty();
                if (lives && !gate.excused.contains(track.id)) {
                    return track + ", a child of " + gate + " of " + ledger.find(gate.waiter);
                }
            }
        }
        return null;
    }

    /** Whether a suspended job waits for what may stay away for ever. */
    boolean mayWait(JobTrack waiter, Duration longest, Predicate<JobTrack> mayStay) {
        if (waiter.state != StateName.WAITING) {
            return false;
        }
        for (KnownGate gate : of(waiter.id)) {
            if (gate.awaitsEvent || gate.awaited != null) {
                return !letsGoOn(gate) && (gate.awaitsEvent ? gate.isFar(time, longest) : gate.isStuck(mayStay));
            }
        }
        return false;
    }

    /** Whether a suspended job could go on. */
    boolean couldGoOn(JobTrack waiter) {
        List<KnownGate> mine = of(waiter.id);
        return waiter.state == StateName.WAITING
                && (mine.stream().anyMatch(this::letsGoOn)
                        || mine.stream().noneMatch(gate -> gate.awaitsEvent || gate.awaited != null));
    }

    /** Who waits for which event that has not come. */
    List<KnownGate> awaitedEvents() {
        return gates.values().stream()
                .filter(gate -> gate.awaitsEvent && eventOf(gate.waiter, gate.name) == null)
                .filter(gate -> Objects.requireNonNull(ledger.find(gate.waiter)).state == StateName.WAITING)
                .toList();
    }
}
