package dev.treadle.simulation;

import dev.treadle.job.JobId;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.PendingWork.LaneState;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.StorageProvider;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One actor's connection to the storage: calls fail, lose their answer, take effect late, or let others go on meanwhile. */
final class FaultyStorage extends ForwardingStorage {
    private final Cluster cluster;
    private final Actor actor;
    private final Notes notes;
    /** Leases whose claim was answered. */
    private final Set<String> answered = new HashSet<>();

    /** Who calls. */
    interface Actor {
        String name();

        /** Whether its process has ended, so that nothing it asks for can begin and no answer reaches it. */
        boolean isGone();
    }

    FaultyStorage(StorageProvider inner, Cluster cluster, Actor actor) {
        super(inner);
        this.cluster = cluster;
        this.actor = actor;
        this.notes = cluster.notes();
    }

    @Override
    protected <T> T call(Op op, Supplier<T> real) {
        throwIfGone();
        Faults faults = cluster.faults();
        if (cluster.isAwayFor(actor) || cluster.dice().chance(faults.fails())) {
            notes.say(actor.name(), "fails", op);
            throw new StorageAway(op + " failed", true);
        }
        if (cluster.dice().chance(faults.late())) {
            notes.say(actor.name(), "fails", op + ", but will take effect later");
            cluster.later(() -> landLate(op, real));
            throw new StorageAway(op + " failed, it may take effect", true);
        }
        return answered(op, real, faults);
    }

    private <T> T answered(Op op, Supplier<T> real, Faults faults) {
        boolean slow = cluster.dice().chance(faults.slow());
        if (slow) {
            notes.say(actor.name(), "is slow", op);
            cluster.letOthersRun();
        }
        T answer = real.get();
        tell(op, answer);
        if (slow) {
            cluster.letOthersRun();
        }
        throwIfGone();
        if (cluster.dice().chance(faults.answerLost())) {
            notes.say(actor.name(), "lost", "the answer of " + op);
            if (op == Op.CLAIM && !Words.isNothing(answer)) {
                notes.reached(Sometimes.CLAIM_ANSWER_LOST);
            } else if (op == Op.INSERT_LEASED && !Words.isNothing(answer)) {
                notes.reached(Sometimes.BORN_LEASED_ANSWER_LOST);
            }
            throw new StorageAway("the answer of " + op + " was lost", true);
        }
        return answer;
    }

    private <T> void landLate(Op op, Supplier<T> real) {
        T answer;
        try {
            answer = real.get();
        } catch (StorageAway refused) {
            return;
        }
        tell(op, answer);
        if (op == Op.INSERT) {
            notes.reached(Sometimes.INSERT_LANDED_LATE);
        } else if (op == Op.CLAIM && !Words.isNothing(answer)) {
            notes.reached(Sometimes.CLAIM_LANDED_LATE);
        } else if (op == Op.RECORD) {
            notes.reached(Sometimes.RECORD_LANDED_LATE);
        }
    }

    private <T> void tell(Op op, T answer) {
        if (op == Op.HEARTBEAT || op == Op.BEATS) {
            notes.hum(actor.name(), Words.verb(op));
        } else if (op == Op.HEADS || op == Op.OUTLOOK) {
            notes.hum(actor.name(), Words.verb(op));
        } else if (!Words.isNothing(answer)) {
            notes.say(actor.name(), Words.verb(op), Words.of(answer, cluster.ledger()));
        }
    }

    private void throwIfGone() {
        if (actor.isGone()) {
            throw new SimulatedCrash();
        }
    }

    @Override
    public Set<JobId> insert(List<NewJob> jobs, @Nullable OperatorAct act) {
        return call(Op.INSERT, () -> {
            Set<JobId> existing = inner.insert(jobs, act);
            notes.say(actor.name(), "inserts", Words.jobs(jobs, cluster.ledger()));
            return existing;
        });
    }

    @Override
    public List<Lease> insertLeased(NodeId node, List<NewJob> jobs) {
        cluster.demandAlive(node, cluster.time().nanos());
        if (actor instanceof SimNode claims) {
            jobs.forEach(
                    job -> demandNotPaused(claims, job.lane(), cluster.time().nanos()));
        }
        List<Lease> born = call(Op.INSERT_LEASED, () -> {
            List<Lease> leases = inner.insertLeased(node, jobs);
            notes.say(actor.name(), "inserts leased", Words.jobs(jobs, cluster.ledger()));
            return leases;
        });
        born.forEach(lease -> answered.add(key(lease)));
        return born;
    }

    @Override
    public List<Lease> claim(NodeId node, Lane lane, int max) {
        cluster.demandAlive(node);
        if (actor instanceof SimNode claims) {
            demandNotPaused(claims, lane, claims.dispatchBegan());
        }
        List<Lease> taken = super.claim(node, lane, max);
        taken.forEach(lease -> answered.add(key(lease)));
        return taken;
    }

    @Override
    public RunStorage runs() {
        return new ForwardingRuns(inner.runs(), this::call) {
            @Override
            public GateStorage gates() {
                return new ForwardingGates(inner.gates(), FaultyStorage.this::call) {
                    @Override
                    public Answer spawn(RunId run, String name, long from, List<NewJob> children, boolean last) {
                        int half = children.size() / 2;
                        if (half == 0 || !cluster.dice().chance(0.3)) {
                            return super.spawn(run, name, from, children, last);
                        }
                        // as if there were so many that they take two calls
                        super.spawn(run, name, from, children.subList(0, half), false);
                        notes.reached(Sometimes.SPAWNED_IN_PART);
                        return super.spawn(run, name, from + half, children.subList(half, children.size()), last);
                    }

                    @Override
                    public Opening open(int max) {
                        return super.open(cluster.dice().chance(0.5) ? 1 : max);
                    }
                };
            }
        };
    }

    private void demandNotPaused(SimNode node, Lane lane, long decided) {
        notes.demand(
                !node.knewPaused(lane.queue(), decided),
                Invariant.A_PAUSED_QUEUE_STARTS_NOTHING,
                () -> node.name() + " takes from " + lane + " and knew that it is paused");
    }

    @Override
    public PendingWork outlook(NodeId node) {
        PendingWork outlook = super.outlook(node);
        told(outlook.lanes());
        return outlook;
    }

    private List<LaneState> told(List<LaneState> states) {
        if (actor instanceof SimNode node) {
            Set<String> paused = new HashSet<>();
            states.stream()
                    .filter(LaneState::paused)
                    .forEach(state -> paused.add(state.lane().queue()));
            if (!paused.isEmpty()) {
                notes.reached(Sometimes.PAUSE_WAS_SEEN);
            }
            node.toldPaused(paused);
        }
        return states;
    }

    @Override
    public List<Lease> leasesOf(NodeId node, Set<RunId> known) {
        List<Lease> mine = super.leasesOf(node, known);
        for (Lease lease : mine) {
            if (answered.add(key(lease))) {
                notes.reached(Sometimes.LOST_CLAIM_ADOPTED);
            }
        }
        return mine;
    }

    private static String key(Lease lease) {
        return lease.job().id() + " " + lease.token();
    }

    @Override
    public List<WriteResult> record(List<Transition> endings) {
        if (endings.size() > 1 && cluster.dice().chance(cluster.faults().inPart())) {
            record(endings.subList(0, endings.size() / 2));
            notes.reached(Sometimes.RECORDED_IN_PART);
            throw new StorageAway("only a part was recorded", true);
        }
        return call(Op.RECORD, () -> {
            if (endings.stream().anyMatch(UserError::isUnstorable)) {
                throw new StorageAway("a text cannot be stored", false);
            }
            notes.say(actor.name(), "records", Words.endings(endings, cluster.ledger()));
            return recordFree(endings);
        });
    }

    /** Those whose key an application holds are left out. */
    private List<WriteResult> recordFree(List<Transition> endings) {
        List<Transition> free = new ArrayList<>();
        List<Boolean> busy = new ArrayList<>();
        for (Transition ending : endings) {
            boolean held = ending.lease().job().traits().key() != null && cluster.isKeyHeld();
            busy.add(held);
            if (held) {
                notes.reached(Sometimes.ENDING_FOUND_ITS_KEY_HELD);
            } else {
                free.add(ending);
            }
        }
        Iterator<WriteResult> written = (free.isEmpty() ? List.<WriteResult>of() : inner.record(free)).iterator();
        return busy.stream()
                .map(held -> held ? WriteResult.BUSY : written.next())
                .toList();
    }

    @Override
    public List<WriteResult> rescue(List<Transition> endings) {
        return call(Op.RESCUE, () -> {
            notes.say(actor.name(), "rescues", Words.endings(endings, cluster.ledger()));
            return inner.rescue(endings);
        });
    }
}
