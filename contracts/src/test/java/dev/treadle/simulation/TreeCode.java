package dev.treadle.simulation;

import dev.treadle.job.Child;
import dev.treadle.job.ChildFailedException;
import dev.treadle.job.ChildResults;
import dev.treadle.job.Children;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobSuspension;
import dev.treadle.job.JoinRule;
import dev.treadle.job.LeaseLostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;

/** What jobs of trees do on one node, and what must hold while they do it. */
final class TreeCode {
    /** How much longer than asked a sleep may be for the clocks that tell it, as a share of it. */
    private static final double CLOCKS_DIFFER = 0.3;

    private static final long MILLI = 1_000_000;

    private final SimNode node;
    private final UserCode user;
    private final Cluster cluster;
    private final Notes notes;
    private final Dice dice;

    TreeCode(SimNode node, UserCode user, Cluster cluster) {
        this.node = node;
        this.user = user;
        this.cluster = cluster;
        this.notes = cluster.notes();
        this.dice = cluster.dice();
    }

    Long run(Tree tree, JobContext context) throws Exception {
        return user.framed(context, (track, token) -> {
            try {
                for (Tree.Act act : tree.acts()) {
                    new Run(tree, track, token, context).act(act);
                }
            } catch (LeaseLostException e) {
                notes.demand(
                        track.token != token,
                        Invariant.ONLY_WHO_LOST_ITS_LEASE_IS_TOLD_SO,
                        () -> track + " was told so under token " + token);
                throw e;
            }
            end();
            return token;
        });
    }

    private void end() throws Exception {
        boolean crashes = cluster.faults() != Faults.NONE && !cluster.plan().calm() && dice.chance(0.01);
        if (crashes) {
            cluster.crash(node);
            throw new SimulatedCrash();
        }
        if (dice.chance(0.1)) {
            throw new UserError("bad luck");
        }
        if (dice.chance(0.03)) {
            throw new GaveUp();
        }
    }

    /** One run of one job. */
    private final class Run {
        private final Tree tree;
        private final JobTrack track;
        private final long token;
        private final JobContext context;

        Run(Tree tree, JobTrack track, long token, JobContext context) {
            this.tree = tree;
            this.track = track;
            this.token = token;
            this.context = context;
        }

        void act(Tree.Act act) throws Exception {
            if (node.isGone()) {
                throw new SimulatedCrash();
            }
            try {
                switch (act.what()) {
                    case STEP -> user.step(act.name(), track, token, context);
                    case ONE -> one(act);
                    case MANY -> joined(act, spawn(act, act.name()));
                    case CROSSED -> {
                        Children<Long> first = spawn(act, act.name());
                        Children<Long> second = spawn(act, act.name() + "b");
                        joined(act, second);
                        joined(act, first);
                    }
                    case LEAVE -> spawn(act, act.name());
                    case LOST ->
                        waits(
                                Ended.SUSPENDED,
                                () -> Optional.ofNullable(
                                        context.spawn(act.name(), new Deployment.Forgotten(Kind.KNOWN_TO_NOBODY))
                                                .join()));
                    case SLEEP -> sleep(act);
                    case AWAIT -> await(act);
                }
            } catch (ChildFailedException e) {
                if (!act.catches()) {
                    throw e;
                }
            }
        }

        private Children<Long> spawn(Tree.Act act, String name) {
            return context.spawn(name, tree.children(act, name));
        }

        private void one(Tree.Act act) throws Exception {
            Child<Long> child = context.spawn(
                    act.name(), tree.children(act, act.name()).findFirst().orElseThrow());
            Optional<Long> returned = waits(Ended.SUSPENDED, () -> Optional.ofNullable(child.join()));
            if (returned.isPresent()) {
                demandReturned(List.of(cluster.ledger().track(child.id())), returned.get());
            }
        }

        private void joined(Tree.Act act, Children<Long> children) throws Exception {
            Optional<ChildResults<Long>> all = waits(Ended.SUSPENDED, () -> Optional.of(children.join(act.rule())));
            if (all.isEmpty()) {
                return;
            }
            ChildResults<Long> results = all.get();
            notes.demand(
                    results.count() == children.count()
                            && (act.rule() != JoinRule.ALL_END
                                    || results.succeededCount() + results.failedCount() == results.count()),
                    Invariant.A_GATE_KNOWS_WHAT_HAS_ENDED,
                    () -> track + " goes on at '" + act.name() + "' of " + children.count() + " with "
                            + results.succeededCount() + " and " + results.failedCount());
            List<JobTrack> spawned = LongStream.range(0, children.count())
                    .mapToObj(i -> cluster.ledger().track(children.id(i)))
                    .toList();
            results.succeeded().forEach(value -> demandReturned(spawned, value));
        }

        private void demandReturned(List<JobTrack> spawned, Long value) {
            notes.demand(
                    spawned.stream().anyMatch(child -> child.results.contains(String.valueOf(value))),
                    Invariant.A_JOIN_READS_WHAT_CHILDREN_RETURNED,
                    () -> track + " read " + value + ", which none of " + spawned + " returned");
        }

        private void await(Tree.Act act) throws Exception {
            waits(Ended.SUSPENDED, () -> {
                Optional<String> came = context.await(act.name(), String.class, act.time());
                notes.reached(came.isPresent() ? Sometimes.EVENT_CAME_IN_TIME : Sometimes.EVENT_DID_NOT_COME_IN_TIME);
                came.ifPresent(value -> notes.demand(
                        ('"' + value + '"').equals(cluster.storage().gates().eventOf(track.id, act.name())),
                        Invariant.AN_EVENT_COMES_ONCE,
                        () -> track + " was given " + value));
                return came;
            });
        }

        /** As long as it was asked for, whichever nodes it runs on, if nobody sets the clock of the storage. */
        private void sleep(Tree.Act act) throws Exception {
            long now = cluster.time().nanos();
            long sinceCall = now - track.sleepsCalled.computeIfAbsent(act.name(), unseen -> now);
            long sinceTold = now - track.sleepsBegun.getOrDefault(act.name(), now);
            double asked = act.time().toNanos();
            boolean judged = !cluster.time().wasSet();
            waits(Ended.ASLEEP, () -> {
                try {
                    context.sleep(act.name(), act.time());
                } catch (JobSuspension sleeps) {
                    track.sleepsBegun.putIfAbsent(act.name(), cluster.time().nanos());
                    notes.reached(Sometimes.SLEPT);
                    notes.demand(
                            !judged || sinceTold <= asked * (1 + CLOCKS_DIFFER) + MILLI,
                            Invariant.A_SLEEP_IS_SLEPT_ONCE,
                            () -> track + " sleeps again after " + sinceTold + " ns of " + act.time());
                    throw sleeps;
                }
                long slept = sinceCall + cluster.time().nanos() - now;
                notes.demand(
                        !judged || asked < MILLI || slept >= asked * (1 - CLOCKS_DIFFER),
                        Invariant.A_SLEEP_IS_SLEPT_ONCE,
                        () -> track + " slept " + slept + " ns of " + act.time());
                return Optional.of(true);
            });
        }

        /** Mostly lets the suspension through, and now and then goes on as if it were nothing. */
        private <R> Optional<R> waits(Ended how, Callable<Optional<R>> waiting) throws Exception {
            try {
                return waiting.call();
            } catch (JobSuspension suspension) {
                track.ended(token, how);
                if (dice.chance(0.9)) {
                    throw suspension;
                }
                notes.reached(Sometimes.SUSPENSION_CAUGHT_BY_THE_CODE);
                return Optional.empty();
            }
        }
    }

    private static final class GaveUp extends GiveUpException {
        private static final long serialVersionUID = 1L;

        GaveUp() {
            super("a tree gives up");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
