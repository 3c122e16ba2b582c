package dev.treadle.simulation;

import dev.treadle.enqueue.IdSource;
import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Lane;
import dev.treadle.job.RetryPolicy;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts work in, and repeats with the same ids what was not answered. */
final class Client implements FaultyStorage.Actor {
    private static final List<KeyRule> RULES = List.of(
            KeyRule.mailbox("a"),
            KeyRule.mailbox("b"),
            KeyRule.mailbox("c").skippingRetries(),
            KeyRule.limit("a", 1),
            KeyRule.limit("b", 2),
            KeyRule.rate("a", 5, Duration.ofSeconds(1)));

    private final String name;
    private final Cluster cluster;
    private final Dice dice;
    private final StorageProvider storage;
    private final IdSource ids;
    private final List<Kind> kinds;
    private final List<List<NewJob>> unanswered = new ArrayList<>();
    private final List<List<NewJob>> answered = new ArrayList<>();
    private int jobsLeft;

    Client(String name, Cluster cluster, List<Kind> kinds, int jobs) {
        this.name = name;
        this.cluster = cluster;
        this.dice = cluster.dice();
        this.storage = cluster.connect(this);
        this.ids = new IdSource(cluster.time().drifting(dice.millis(-3_000, 3_000), 1), dice.source());
        this.kinds = kinds;
        this.jobsLeft = jobs;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isGone() {
        return false;
    }

    void enqueue() {
        if (!unanswered.isEmpty() && dice.chance(0.5)) {
            repeat();
        } else if (jobsLeft > 0) {
            boolean single = dice.chance(0.5);
            List<NewJob> batch = new ArrayList<>();
            for (int left = Math.min(jobsLeft, single ? 1 : dice.between(2, 4)); left > 0; left--) {
                batch.add(job(single && dice.chance(0.8) ? Due.NOW : due()));
                jobsLeft--;
            }
            insert(List.copyOf(batch), false);
        } else if (!answered.isEmpty() && dice.chance(0.1)) {
            cluster.notes().reached(Sometimes.SAME_ID_INSERTED_AGAIN);
            insert(dice.pick(answered), false);
        }
    }

    /** Repeats one enqueue that was not answered. */
    void repeat() {
        insert(unanswered.remove(dice.below(unanswered.size())), true);
    }

    boolean isWaiting() {
        return !unanswered.isEmpty();
    }

    private void insert(List<NewJob> batch, boolean again) {
        Set<JobId> existing;
        // some clients live in the process of a node, others have one of their own
        List<SimNode> hosts = cluster.nodes().stream()
                .filter(SimNode::isAwake)
                .sorted(Comparator.comparing(node -> node.node().inFlight().size()))
                .limit(2)
                .toList();
        try {
            existing = hosts.isEmpty() || dice.chance(0.3)
                    ? storage.insert(batch)
                    : dice.pick(hosts).node().insert(batch);
        } catch (StorageException | SimulatedCrash e) {
            unanswered.add(batch);
            return;
        }
        answered.add(batch);
        cluster.ledger().acknowledged(batch.stream().map(NewJob::id).toList());
        if (again && !existing.isEmpty()) {
            cluster.notes().reached(Sometimes.INSERT_ANSWER_LOST_AND_REPEATED);
        }
    }

    private NewJob job(Due due) {
        Kind kind = dice.pick(kinds);
        JobTraits traits = traits(dice.pick(cluster.plan().lanes()))
                .withPriority(dice.between(-1, 1))
                .withRetries(policy())
                .withKey(dice.chance(0.4) ? dice.pick(RULES) : null);
        return new NewJob(
                ids.nextJobId(),
                Deployment.invocation(kind),
                due,
                kind == Kind.TIMED ? traits.withTimeout(dice.millis(1, 300)) : traits);
    }

    private static JobTraits traits(Lane lane) {
        return JobTraits.DEFAULT
                .withQueue(lane.queue())
                .withTags(lane.tags().toArray(String[]::new))
                .withUses(lane.uses());
    }

    private Due due() {
        return switch (dice.below(4)) {
            case 0 -> new Due.After(dice.millis(-100, 3_000));
            case 1 -> new Due.At(cluster.time().instant().plus(dice.millis(-1_000, 2_000)));
            default -> Due.NOW;
        };
    }

    private @Nullable RetryPolicy policy() {
        return dice.chance(0.5)
                ? null
                : RetryPolicy.DEFAULT
                        .withAttempts(dice.between(1, 4))
                        .withDelays(dice.millis(1, 300), Duration.ofSeconds(1))
                        .withFactor(1 + dice.below(3))
                        .withJitter(dice.below(2) / 2.0);
    }
}
