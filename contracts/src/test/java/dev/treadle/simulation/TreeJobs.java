package dev.treadle.simulation;

import dev.treadle.invoke.ChildJobs;
import dev.treadle.job.ChildOptions;
import dev.treadle.job.Due;
import dev.treadle.job.GateId;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Lane;
import dev.treadle.storage.NewJob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the jobs of trees: the same job of the same request. */
final class TreeJobs implements ChildJobs {
    private static final List<KeyRule> RULES = List.of(KeyRule.limit("t", 1), KeyRule.limit("u", 2));

    private final List<Lane> lanes;

    TreeJobs(List<Lane> lanes) {
        this.lanes = lanes;
    }

    @Override
    public NewJob make(JobId id, GateId gate, JobRequest<?> request, ChildOptions options) {
        if (request instanceof Tree tree) {
            // a mailbox is held by who waits, so only those have one that wait for nobody's mailbox
            KeyRule mailbox = tree.depth() == 0 ? KeyRule.mailbox("leaf") : KeyRule.limit("v", 1);
            return job(id, tree, mailbox, gate);
        }
        Kind kind = Kind.KNOWN_TO_NOBODY;
        return new NewJob(id, Deployment.invocation(kind), Due.NOW, JobTraits.DEFAULT.withGate(gate));
    }

    /** One that nobody spawns. */
    NewJob root(JobId id, Tree tree) {
        return job(id, tree, KeyRule.mailbox("root"), null);
    }

    private NewJob job(JobId id, Tree tree, KeyRule mailbox, @Nullable GateId gate) {
        Dice dice = new Dice(~tree.dice().source().nextLong());
        // few of them elsewhere: a lane that nobody serves would keep most trees from an end
        Lane lane = dice.chance(0.8) ? Lane.DEFAULT : dice.pick(lanes);
        KeyRule key = dice.chance(0.2) ? dice.pick(RULES) : dice.chance(0.1) ? mailbox : null;
        JobTraits traits = JobTraits.DEFAULT
                .withQueue(lane.queue())
                .withTags(lane.tags().toArray(String[]::new))
                .withUses(lane.uses())
                .withPriority(dice.between(-1, 1))
                .withKey(key);
        return new NewJob(
                id,
                new Invocation(Tree.class.getName(), null, "{\"script\":\"" + tree.script() + "\"}"),
                Due.NOW,
                gate == null ? traits : traits.withGate(gate));
    }

    @Override
    public void kept(List<NewJob> children) {
        // nobody else wants to know
    }
}
