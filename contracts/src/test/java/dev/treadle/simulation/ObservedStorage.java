package dev.treadle.simulation;

import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeBeat;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sees every write that takes effect, whoever asked for it, tells the ledger, and has it compared. */
final class ObservedStorage extends ForwardingStorage {
    private final Ledger ledger;
    private final RecordCheck records;
    private final KeyCheck keys;
    private final GateCheck gates;
    private final Recurrences recurrences;
    private final Notes notes;
    private final SimTime time;
    private final Map<NodeId, Long> beats = new HashMap<>();
    private final Map<NodeId, Duration> deadAfter = new HashMap<>();
    /** How much sooner the clock of a node may have counted a span, as a share of it. */
    private static final double CLOCKS_DIFFER = 0.85;

    ObservedStorage(StorageProvider inner, Ledger ledger, Recurrences recurrences, Notes notes, SimTime time) {
        super(inner);
        this.ledger = ledger;
        this.recurrences = recurrences;
        this.records = new RecordCheck(ledger, notes);
        this.keys = new KeyCheck(inner, ledger, notes);
        this.gates = new GateCheck(ledger, notes, time);
        this.notes = notes;
        this.time = time;
    }

    /** What is written there the ledger does not learn. */
    StorageProvider unobserved() {
        return inner;
    }

    KeyCheck keys() {
        return keys;
    }

    GateCheck gates() {
        return gates;
    }

    @Override
    public RunStorage runs() {
        return new ForwardingRuns(inner.runs(), this::call) {
            @Override
            public GateStorage gates() {
                return new ObservedGates(
                        inner.gates(),
                        ObservedStorage.this::call,
                        ObservedStorage.this.inner,
                        ledger,
                        gates,
                        keys,
                        notes);
            }
        };
    }

    /** When a heartbeat of that node last took effect, in nanoseconds; null if none did. */
    @Nullable
    Long beatOf(NodeId node) {
        return beats.get(node);
    }

    @Override
    public Set<JobId> insert(List<NewJob> jobs, @Nullable OperatorAct act) {
        Set<JobId> existing = inner.insert(jobs, act);
        for (NewJob job : jobs) {
            boolean known = ledger.find(job.id()) != null;
            notes.demand(
                    known == existing.contains(job.id()),
                    Invariant.NOTHING_ACKNOWLEDGED_IS_LOST,
                    () -> job.id() + (known ? " was inserted before" : " is said to be there and never was inserted"));
            if (!known) {
                ledger.inserted(job);
                keys.inserted(ledger.track(job.id()));
            }
        }
        ledger.compare(inner);
        return existing;
    }

    @Override
    public List<Lease> insertLeased(NodeId node, List<NewJob> jobs) {
        List<Lease> born = inner.insertLeased(node, jobs);
        Set<JobId> fresh = born.stream().map(lease -> lease.job().id()).collect(Collectors.toSet());
        for (NewJob job : jobs) {
            boolean known = ledger.find(job.id()) != null;
            notes.demand(
                    known != fresh.contains(job.id()),
                    Invariant.NOTHING_ACKNOWLEDGED_IS_LOST,
                    () -> job.id() + (known ? " was inserted before" : " was neither inserted nor there"));
            if (!known) {
                ledger.inserted(job);
            }
        }
        for (Lease lease : born) {
            JobTrack track = ledger.track(lease.job().id());
            track.leased(lease.token());
            ledger.leasedTo(lease.node());
            track.become(StateName.PROCESSING, Invariant.NO_JOB_IS_GIVEN_TO_TWO);
            notes.reached(Sometimes.BORN_LEASED);
        }
        ledger.compare(inner);
        return born;
    }

    @Override
    public Promotion promote(int max) {
        Promotion promotion = inner.promote(max);
        List<JobTrack> due = ledger.in(StateName.SCHEDULED).stream()
                .filter(track -> !track.dueAt.isAfter(time.instant()))
                .toList();
        due.forEach(track -> track.become(StateName.ENQUEUED, Invariant.EVERYTHING_REACHES_AN_END));
        keys.promoted(due);
        if (!due.isEmpty() || promotion.moved() > 0) {
            ledger.compare(inner);
        }
        return promotion;
    }

    @Override
    public List<Lease> claim(NodeId node, Lane lane, int max) {
        notes.demand(max >= 1 && max <= BATCH_MAX, Invariant.CALLS_KEEP_THE_CONTRACT, () -> "claim(" + max + ")");
        List<Lease> taken = inner.claim(node, lane, max);
        notes.demand(taken.size() <= max, Invariant.CALLS_KEEP_THE_CONTRACT, () -> "asked for " + max + ": " + taken);
        for (Lease lease : taken) {
            JobTrack track = ledger.track(lease.job().id());
            notes.demand(
                    track.state != StateName.SUCCEEDED, Invariant.NO_CLAIM_AFTER_SUCCESS, () -> track + " was claimed");
            notes.demand(
                    track.state != StateName.PROCESSING,
                    Invariant.NO_JOB_IS_GIVEN_TO_TWO,
                    () -> track + " was claimed");
            notes.demand(
                    track.inserted.lane().equals(lane),
                    Invariant.A_JOB_RUNS_WHERE_IT_MAY,
                    () -> track + " of " + track.inserted.lane() + " was given out of " + lane);
            notes.demand(track.state == StateName.ENQUEUED, Invariant.ONLY_LEGAL_MOVES, () -> track + " was claimed");
            notes.demand(
                    lease.token() > track.lastToken, Invariant.TOKENS_ONLY_GROW, () -> track + " now " + lease.token());
            track.leased(lease.token());
            ledger.leasedTo(lease.node());
            track.become(StateName.PROCESSING, Invariant.NO_JOB_IS_GIVEN_TO_TWO);
            keys.claimed(track);
        }
        if (!taken.isEmpty()) {
            ledger.compare(inner);
        }
        return taken;
    }

    @Override
    public List<WriteResult> record(List<Transition> endings) {
        notes.demand(endings.size() <= BATCH_MAX, Invariant.CALLS_KEEP_THE_CONTRACT, () -> "record " + endings.size());
        return checked(endings, inner.record(endings));
    }

    @Override
    public List<WriteResult> rescue(List<Transition> endings) {
        notes.demand(endings.size() <= BATCH_MAX, Invariant.CALLS_KEEP_THE_CONTRACT, () -> "rescue " + endings.size());
        Set<NodeId> living = inner.beats().stream().map(NodeBeat::node).collect(Collectors.toSet());
        List<WriteResult> results = inner.rescue(endings);
        List<Transition> orphaned = new ArrayList<>();
        List<WriteResult> answers = new ArrayList<>();
        for (int i = 0; i < endings.size(); i++) {
            Lease lease = endings.get(i).lease();
            JobTrack track = ledger.track(lease.job().id());
            if (track.token == lease.token() && !living.contains(lease.node())) {
                orphaned.add(endings.get(i));
                answers.add(results.get(i));
            } else {
                WriteResult answer = results.get(i);
                notes.demand(
                        answer.equals(WriteResult.STALE),
                        Invariant.A_STALE_LEASE_NEVER_WRITES,
                        () -> track + " was rescued from under " + lease + ": " + answer);
                notes.reached(Sometimes.RESCUE_LOST_THE_RACE);
            }
        }
        checked(orphaned, answers);
        return results;
    }

    /** Of these none was stale by right. */
    private List<WriteResult> checked(List<Transition> endings, List<WriteResult> results) {
        records.check(endings, results);
        endings.forEach(ending -> moved(ledger.track(ending.lease().job().id())));
        ledger.compare(inner);
        return results;
    }

    private void moved(JobTrack track) {
        keys.moved(track);
        gates.ended(track);
    }

    @Override
    public RecurringStorage recurring() {
        return new ForwardingRecurring(inner.recurring(), this::call) {
            @Override
            public Set<String> advance(List<Advance> advances) {
                Set<String> moved = inner.advance(advances);
                recurrences.moved(advances, moved);
                for (Advance advance : advances) {
                    if (moved.contains(advance.seen().id())) {
                        advance.jobs().forEach(ledger::inserted);
                    }
                }
                ledger.compare(ObservedStorage.this.inner);
                return moved;
            }
        };
    }

    @Override
    public void heartbeat(NodeInfo node) {
        inner.heartbeat(node);
        beats.put(node.id(), time.nanos());
        deadAfter.put(node.id(), Objects.requireNonNull(node.deadAfter()));
    }

    private Duration deadAfter(NodeBeat of) {
        return deadAfter.getOrDefault(of.node(), Duration.ZERO);
    }

    @Override
    public boolean gone(NodeId node, @Nullable NodeBeat last) {
        boolean gone = inner.gone(node, last);
        if (gone && last != null) {
            notes.reached(Sometimes.NODE_BURIED);
            long silent = time.nanos() - beats.getOrDefault(last.node(), 0L);
            notes.demand(
                    silent >= CLOCKS_DIFFER * deadAfter(last).toNanos(),
                    Invariant.NO_LIVING_NODE_IS_BURIED,
                    () -> last + " was silent for " + silent + " ns only");
        }
        return gone;
    }

    @Override
    public int unpark(NodeId node, String target, Set<Lane> lanes, int max) {
        List<JobTrack> parked = ledger.in(StateName.PARKED);
        int moved = inner.unpark(node, target, lanes, max);
        List<JobTrack> back = new ArrayList<>();
        for (JobTrack track : parked) {
            boolean may = track.inserted.invocation().target().equals(target) && lanes.contains(track.inserted.lane());
            StateName found = inner.queries().states(List.of(track.id)).get(track.id);
            if (may && found == StateName.ENQUEUED) {
                track.become(StateName.ENQUEUED, Invariant.ONLY_LEGAL_MOVES);
                notes.reached(Sometimes.UNPARKED);
                back.add(track);
            }
        }
        keys.cameBack(back);
        ledger.compare(inner);
        return moved;
    }

    @Override
    public List<WriteResult> act(JobAction action, OperatorNote note, List<JobId> ids, @Nullable OperatorAct act) {
        List<WriteResult> results = inner.act(action, note, ids, act);
        for (JobId id : ids) {
            if (action == JobAction.CANCEL) {
                cancelled(id);
            } else {
                runAgain(id, action);
            }
        }
        ledger.compare(inner);
        return results;
    }

    private void cancelled(JobId id) {
        JobTrack track = ledger.find(id);
        if (track != null && !track.state.isFinal()) {
            if (track.state == StateName.PROCESSING) {
                notes.reached(Sometimes.CANCELLED_WHILE_LEASED);
            }
            track.told(0, Event.CANCELLED);
            track.token = 0;
            track.become(StateName.CANCELLED, Invariant.WHAT_IS_WRITTEN_IS_KEPT);
            moved(track);
        }
    }

    private void runAgain(JobId id, JobAction action) {
        JobTrack track = ledger.find(id);
        if (track != null && (track.state.isFinal() || track.state == StateName.PARKED)) {
            if (track.state == StateName.SUCCEEDED) {
                notes.reached(Sometimes.RUN_AGAIN_AFTER_SUCCESS);
            }
            track.told(0, Event.RUN_AGAIN);
            track.newEpoch();
            if (action == JobAction.RUN_FROM_START) {
                track.forgetSteps();
            }
            gates.runAgain(track, action == JobAction.RUN_FROM_START);
            track.become(StateName.ENQUEUED, Invariant.WHAT_IS_WRITTEN_IS_KEPT);
            keys.cameBack(List.of(track));
        }
    }

    @Override
    public RetentionStep deleteEnded(NodeId node, RetentionSettings settings, int max) {
        RetentionStep step = inner.deleteEnded(node, settings, max);
        Map<JobId, StateName> left = inner.queries()
                .states(ledger.all().stream().map(track -> track.id).toList());
        for (JobTrack track : List.copyOf(ledger.all())) {
            if (!left.containsKey(track.id)) {
                notes.demand(
                        track.state.isFinal(), Invariant.ONLY_WHAT_HAS_ENDED_IS_DELETED, () -> track + " was deleted");
                notes.reached(Sometimes.DELETED_LONG_AFTER_ITS_END);
                ledger.deleted(track);
                gates.deleted(track);
            }
        }
        ledger.compare(inner);
        return step;
    }
}
