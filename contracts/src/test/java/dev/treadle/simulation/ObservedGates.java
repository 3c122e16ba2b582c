package dev.treadle.simulation;

import dev.treadle.job.GateId;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import dev.treadle.job.JoinRule;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sees every write at gates that takes effect, and what it does to jobs. */
final class ObservedGates extends ForwardingGates {
    private final StorageProvider storage;
    private final Ledger ledger;
    private final GateCheck check;
    private final KeyCheck keys;
    private final Notes notes;

    /** @param storage what is compared with the ledger */
    ObservedGates(
            GateStorage inner,
            ForwardingRuns.Caller caller,
            StorageProvider storage,
            Ledger ledger,
            GateCheck check,
            KeyCheck keys,
            Notes notes) {
        super(inner, caller);
        this.storage = storage;
        this.ledger = ledger;
        this.check = check;
        this.keys = keys;
        this.notes = notes;
    }

    @Override
    public Optional<Gate> find(GateId id) {
        Optional<Gate> found = super.find(id);
        found.ifPresent(check::demandSame);
        return found;
    }

    @Override
    public Answer spawn(RunId run, String name, long from, List<NewJob> children, boolean last) {
        Answer answer = super.spawn(run, name, from, children, last);
        for (NewJob fresh : check.spawned(run, name, from, children, last, answer)) {
            keys.inserted(ledger.track(fresh.id()));
        }
        ledger.compare(storage);
        return answer;
    }

    @Override
    public Answer await(RunId run, String name, JoinRule rule) {
        Answer answer = super.await(run, name, rule);
        check.awaits(run, name, rule, answer);
        return answer;
    }

    @Override
    public EventAnswer awaitEvent(RunId run, String name, String type, Duration patience) {
        EventAnswer answer = super.awaitEvent(run, name, type, patience);
        check.awaitsEvent(run, name, patience, answer);
        return answer;
    }

    @Override
    public WriteResult signal(JobId job, String name, String value, @Nullable OperatorAct act) {
        WriteResult result = super.signal(job, name, value, act);
        check.signalled(job, name, value, result.equals(WriteResult.WRITTEN));
        return result;
    }

    @Override
    public Opening open(int max) {
        Opening opening = super.open(max);
        Map<JobId, StateName> found = storage.queries()
                .states(ledger.all().stream().map(track -> track.id).toList());
        List<JobTrack> resumed = new ArrayList<>();
        List<JobTrack> cancelled = new ArrayList<>();
        for (JobTrack track : ledger.all()) {
            StateName now = found.get(track.id);
            if (now == StateName.ENQUEUED && track.state != StateName.ENQUEUED) {
                resumed.add(track);
            } else if (now == StateName.CANCELLED && track.state != StateName.CANCELLED) {
                cancelled.add(track);
            }
        }
        check.resumed(resumed);
        // who was let go on may be cancelled a moment later in the same call
        long both = cancelled.stream()
                .filter(track -> track.state == StateName.WAITING)
                .count();
        notes.demand(
                opening.resumed() >= resumed.size() && opening.resumed() <= resumed.size() + both,
                Invariant.A_GATE_OPENS_ONCE,
                () -> opening + ", and these go on: " + resumed);
        resumed.forEach(track -> track.become(StateName.ENQUEUED, Invariant.A_GATE_OPENS_ONCE));
        keys.cameBack(resumed);
        cancelled.forEach(this::cancelled);
        cancelled.forEach(check::demandUnneeded);
        if (!opening.more()) {
            String living = check.livingLeaf(false);
            notes.demand(
                    living == null,
                    Invariant.A_CANCELLED_TREE_HAS_NO_LIVING_LEAF,
                    () -> living + ", and nothing is left to look at");
        }
        ledger.compare(storage);
        return opening;
    }

    private void cancelled(JobTrack track) {
        notes.reached(
                track.state == StateName.PROCESSING
                        ? Sometimes.RUNNING_LEAF_CANCELLED_WITH_ITS_TREE
                        : Sometimes.REST_CANCELLED);
        track.told(0, Event.CANCELLED);
        track.token = 0;
        track.become(StateName.CANCELLED, Invariant.ONLY_WHAT_NOBODY_WAITS_FOR_IS_CANCELLED);
        keys.moved(track);
        check.ended(track);
    }
}
