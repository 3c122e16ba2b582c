package dev.treadle.simulation;

import dev.treadle.enqueue.IdSource;
import dev.treadle.job.Due;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs one seed: a time of faults, then a time without, in which everything must reach an end. */
final class Simulation {
    /** Most time that a healed world may need, in seconds. */
    private static final long HEAL_SECONDS_MAX = 120;

    /** Within this time, in seconds, nothing is left in a healed world of what nobody waits for. */
    private static final long TREE_SECONDS_MAX = 60;

    private static final int HEAL_STEPS_MAX = 100_000;
    private static final long STAYS_PARKED_NANOS = 1_500_000_000;

    private final Notes notes;
    private final Trace trace;
    private final SimTime time = new SimTime();
    private final Cluster cluster;
    private final Steps steps;
    /** Null in worlds without transactions. */
    private final @Nullable Application application;
    /** Null in worlds without jobs that are made of jobs. */
    private final @Nullable Trees trees;

    private long healedAt;

    /**
     * What came of one seed.
     *
     * @param violation null if every invariant held
     * @param reached   which rare states it reached, how often
     * @param hash      of all that happened
     * @param nanos     how much time passed in that world
     * @param healing   how much of it passed from the end of the faults until everything had reached an end
     * @param trace     the last events
     * @param option how to see this world again, besides its seed
     */
    record Result(
            long seed,
            @Nullable Violation violation,
            Map<Sometimes, Integer> reached,
            long hash,
            long nanos,
            long healing,
            List<String> trace,
            String option) {}

    private Simulation(long seed, Mutant mutant, int keep) {
        Dice dice = new Dice(seed);
        this.trace = new Trace(time, keep);
        this.notes = new Notes(trace);
        this.cluster = new Cluster(dice, time, notes, Plan.of(dice), mutant);
        this.steps = new Steps(cluster);
        Function<Instant, HeldBack> begin = mutant.transactions();
        this.application = begin == null ? null : new Application(cluster, new Dice(~seed), begin);
        this.trees = mutant.trees() ? new Trees(cluster, new Dice(~seed)) : null;
    }

    /** @param keep how many events of the trace to remember */
    static Result run(long seed, Mutant mutant, int keep) {
        Simulation simulation = new Simulation(seed, mutant, keep);
        Violation violation = simulation.violation();
        return new Result(
                seed,
                violation,
                simulation.notes.reached(),
                simulation.trace.hash(),
                simulation.time.nanos(),
                simulation.time.nanos() - simulation.healedAt,
                violation == null && keep < Integer.MAX_VALUE ? List.of() : simulation.trace.lines(),
                simulation.option());
    }

    private String option() {
        return (application == null ? "" : " " + Simulate.TRANSACTIONS + " 1")
                + (trees == null ? "" : " " + Simulate.TREES + " 1");
    }

    private @Nullable Violation violation() {
        try {
            live();
            heal();
            return null;
        } catch (Violation violation) {
            return violation;
        }
    }

    private void live() {
        Plan plan = cluster.plan();
        Runnable step = plan.calm() ? () -> steps.calm(true) : steps::chaotic;
        cluster.stepsAre(step);
        for (int left = plan.steps(); left > 0; left--) {
            step.run();
            if (application != null) {
                application.act();
            }
            if (trees != null) {
                trees.act();
            }
        }
    }

    private void heal() {
        notes.say("", "HEALED", "no more faults");
        cluster.endFaults();
        cluster.recurrences().end();
        healedAt = time.nanos();
        cluster.stepsAre(() -> steps.calm(false));
        long limit = time.nanos() + HEAL_SECONDS_MAX * 1_000_000_000;
        for (int left = HEAL_STEPS_MAX; !isSettled(); left--) {
            if (left == 0 || time.nanos() > limit) {
                throw unsettled();
            }
            demandDeadTrees();
            cluster.resumeAll();
            steps.clients().stream().filter(Client::isWaiting).forEach(Client::repeat);
            if (application != null) {
                application.finish();
            }
            if (trees != null) {
                trees.finish();
            }
            steps.calm(false);
        }
        afterwards();
    }

    /** What must hold when everything has reached an end. */
    private void afterwards() {
        if (cluster.plan().calm()) {
            notes.reached(Sometimes.CALM_SEED);
            boolean mayRescue = notes.reached().containsKey(Sometimes.NODE_STOPPED_WITH_JOBS_LEFT);
            notes.demand(
                    mayRescue
                            || !notes.reached().containsKey(Sometimes.RESCUED)
                                    // whose tree is cancelled while it runs loses its lease
                                    && (trees != null || !notes.reached().containsKey(Sometimes.ZOMBIE_REFUSED)),
                    Invariant.A_CALM_CLUSTER_RESCUES_NOTHING,
                    () -> "a job was rescued or its ending refused");
        }
        if (!cluster.ledger().in(StateName.PARKED).isEmpty()) {
            notes.reached(Sometimes.PARKED_FOR_GOOD);
            staysParked();
        }
        cluster.ledger().compare(cluster.storage());
        IdSource ids = new IdSource(time, new Dice(1).source());
        cluster.storage()
                .keys()
                .demandNoSlotIsLost(
                        cluster.storage(),
                        (rule, count) -> Stream.generate(() -> new NewJob(
                                        ids.nextJobId(),
                                        Deployment.invocation(Kind.GOOD),
                                        Due.NOW,
                                        JobTraits.DEFAULT.withKey(rule)))
                                .limit(count)
                                .toList());
    }

    /** What nobody here can run is not tried again and again. */
    private void staysParked() {
        int parked = notes.reached().get(Sometimes.PARKED);
        long until = time.nanos() + STAYS_PARKED_NANOS;
        while (time.nanos() < until) {
            steps.calm(false);
        }
        notes.demand(
                notes.reached().get(Sometimes.PARKED) == parked,
                Invariant.WHOEVER_FINDS_NOTHING_RESTS,
                () -> "jobs that cannot run here are tried again and again");
    }

    private boolean isSettled() {
        return cluster.recurrences().areSettled(cluster.storage().recurring())
                && cluster.nothingIsUnderWay()
                && cluster.isComplete()
                && cluster.ledger().all().stream().allMatch(this::mayStay)
                && cluster.nodes().stream()
                        .allMatch(node -> node.node().inFlight().size() == 0 && !node.hasTask())
                && steps.clients().stream().noneMatch(Client::isWaiting)
                && (application == null || application.isFinished())
                && (trees == null || trees.isFinished())
                && cluster.storage().gates().livingLeaf(true) == null
                && cluster.storage().runs().stillRunning().stream().noneMatch(this::mayStillRun)
                && cluster.nodes().stream().allMatch(SimNode::holdsNothing)
                && cluster.nodes().stream().noneMatch(this::couldUnpark);
    }

    /** What nobody waits for any more ends soon, wherever it runs. */
    private void demandDeadTrees() {
        if (time.nanos() > healedAt + TREE_SECONDS_MAX * 1_000_000_000) {
            String living = cluster.storage().gates().livingLeaf(true);
            notes.demand(
                    living == null,
                    Invariant.A_CANCELLED_TREE_HAS_NO_LIVING_LEAF,
                    () -> living + " " + TREE_SECONDS_MAX + " s after the faults have ended");
        }
    }

    private boolean mayStay(JobTrack track) {
        return mayStayAlone(track)
                || mayWait(track)
                || cluster.storage().keys().isBehind(track, mate -> mayStayAlone(mate) || mayWait(mate));
    }

    private boolean mayWait(JobTrack track) {
        boolean may = cluster.storage().gates().mayWait(track, Duration.ofSeconds(HEAL_SECONDS_MAX), this::mayStay);
        if (may) {
            notes.reached(Sometimes.WAITS_FOR_GOOD);
        }
        return may;
    }

    private boolean mayStayAlone(JobTrack track) {
        if (track.state == StateName.ENQUEUED && !cluster.serves(track.inserted.lane())) {
            notes.reached(Sometimes.NOBODY_SERVED_A_JOB);
            return true;
        }
        return track.state.isFinal()
                || track.state == StateName.PARKED
                || track.state == StateName.SCHEDULED
                        && track.dueAt.isAfter(time.instant().plusSeconds(HEAL_SECONDS_MAX));
    }

    /** A node that is there says soon that a run has ended; what ran on the others is forgotten with them. */
    private boolean mayStillRun(StopRequest request) {
        return cluster.nodes().stream().anyMatch(node -> node.id().equals(request.node()));
    }

    private boolean couldUnpark(SimNode node) {
        // a node that the storage has never heard of may try what was parked before it is heard
        return cluster.storage().beatOf(node.id()) == null
                || cluster.storage().parkedTargets(node.id(), served(node)).stream()
                        .anyMatch(node::knows);
    }

    private Set<Lane> served(SimNode node) {
        return cluster.plan().lanes().stream().filter(node::serves).collect(Collectors.toSet());
    }

    private Violation unsettled() {
        boolean stuck = cluster.ledger().all().stream()
                .anyMatch(track -> cluster.storage().gates().couldGoOn(track));
        return notes.broken(
                stuck ? Invariant.NOBODY_WAITS_FOR_WHAT_HAS_ENDED : Invariant.EVERYTHING_REACHES_AN_END, left());
    }

    private String left() {
        StringBuilder text = new StringBuilder(cluster.recurrences().toString());
        cluster.ledger().all().stream()
                .filter(track -> !mayStay(track))
                .forEach(track -> text.append(track).append("; "));
        cluster.storage().runs().stillRunning().stream()
                .filter(this::mayStillRun)
                .forEach(request -> text.append(request).append("; "));
        for (SimNode node : cluster.nodes()) {
            int inFlight = node.node().inFlight().size();
            text.append(inFlight == 0 ? "" : inFlight + " in flight on " + node.name() + "; ");
            text.append(
                    node.holdsNothing()
                            ? ""
                            : node.name() + " holds " + node.node().resources() + "; ");
            text.append(couldUnpark(node) ? node.name() + " could run what is parked; " : "");
        }
        return text.toString();
    }
}
