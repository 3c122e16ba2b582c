package dev.treadle.simulation;

import dev.treadle.enqueue.IdSource;
import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Lane;
import dev.treadle.job.StateName;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Enqueues in transactions of its own, which stay open, roll back, and are committed late, and repeats those whose commit
 * was not answered. It knows which jobs must not be seen yet, and which must never be. All its chance is its
 * own, so that worlds without it are as they were.
 */
final class Application implements FaultyStorage.Actor {
    private static final int OPEN_MAX = 4;
    private static final int TRANSACTIONS_MAX = 12;
    /** A transaction that was open for longer than this was committed late. */
    private static final Duration LATE = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final Dice dice;
    private final StorageProvider storage;
    private final Function<Instant, HeldBack> begin;
    private final IdSource ids;
    private final List<HeldBack> open = new ArrayList<>();
    /** Those whose commit was not answered. */
    private final List<HeldBack> unanswered = new ArrayList<>();
    /** They must not be seen yet. */
    private final Set<JobId> held = new HashSet<>();
    /** They must never be seen. */
    private final Set<JobId> rolledBack = new HashSet<>();

    private int left = TRANSACTIONS_MAX;

    /** @param begin begins a transaction */
    Application(Cluster cluster, Dice dice, Function<Instant, HeldBack> begin) {
        this.cluster = cluster;
        this.dice = dice;
        this.begin = begin;
        this.storage = cluster.connect(this);
        this.ids = new IdSource(cluster.time(), dice.source());
        cluster.keysAreHeld(() -> !open.isEmpty() && dice.chance(0.3));
    }

    @Override
    public String name() {
        return "app";
    }

    @Override
    public boolean isGone() {
        return false;
    }

    /** Does something in some of all steps, and looks in each at what others see. */
    void act() {
        if (dice.chance(0.15)) {
            if (open.isEmpty() || left > 0 && open.size() < OPEN_MAX && dice.chance(0.3)) {
                beginOne();
            } else if (dice.chance(0.6)) {
                write(dice.pick(open));
            } else {
                end(open.remove(dice.below(open.size())), dice.chance(0.7));
            }
        } else if (!unanswered.isEmpty() && dice.chance(0.05)) {
            repeat();
        }
        look();
    }

    /** Ends what is open, and repeats what was not answered. */
    void finish() {
        left = 0;
        while (!open.isEmpty()) {
            end(open.remove(0), true);
        }
        if (!unanswered.isEmpty()) {
            repeat();
        }
        look();
    }

    boolean isFinished() {
        return open.isEmpty() && unanswered.isEmpty();
    }

    private void beginOne() {
        if (left > 0) {
            left--;
            cluster.notes().say(name(), "begins", "a transaction");
            open.add(begin.apply(cluster.time().instant()));
        }
    }

    private void write(HeldBack transaction) {
        List<NewJob> jobs = new ArrayList<>();
        for (int count = dice.between(1, 3); count > 0; count--) {
            jobs.add(job());
        }
        jobs.forEach(job -> held.add(job.id()));
        transaction.write(jobs, cluster.storage().unobserved());
        cluster.notes().say(name(), "writes in its transaction", jobs.size() + " jobs");
    }

    private void end(HeldBack transaction, boolean commit) {
        if (commit) {
            commit(transaction);
        } else {
            cluster.notes().say(name(), "rolls back", transaction.jobs().size() + " jobs");
            transaction.rollBack(cluster.storage().unobserved());
            for (NewJob job : transaction.jobs()) {
                held.remove(job.id());
                rolledBack.add(job.id());
                cluster.notes().reached(Sometimes.ROLLED_BACK);
            }
        }
    }

    private void repeat() {
        HeldBack before = unanswered.remove(dice.below(unanswered.size()));
        HeldBack again = begin.apply(cluster.time().instant());
        again.write(before.jobs(), cluster.storage().unobserved());
        cluster.notes().reached(Sometimes.COMMIT_ANSWER_LOST_AND_REPEATED);
        commit(again);
    }

    private void commit(HeldBack transaction) {
        List<JobId> written = transaction.jobs().stream().map(NewJob::id).toList();
        if (written.isEmpty()) {
            return;
        }
        boolean late = transaction.began().plus(LATE).isBefore(cluster.time().instant());
        // from now on they may be seen, whether the commit is answered or not
        written.forEach(held::remove);
        cluster.notes().say(name(), "commits", written.size() + " jobs");
        try {
            transaction.commit(storage);
        } catch (StorageException e) {
            unanswered.add(transaction);
            return;
        }
        cluster.ledger().acknowledged(written);
        if (late) {
            cluster.notes().reached(Sometimes.COMMITTED_LATE);
        }
    }

    private void look() {
        demandUnseen(held, Invariant.UNSEEN_BEFORE_ITS_COMMIT);
        demandUnseen(rolledBack, Invariant.A_ROLLBACK_LEAVES_NOTHING);
    }

    private void demandUnseen(Set<JobId> jobs, Invariant invariant) {
        if (!jobs.isEmpty()) {
            var seen = cluster.storage().queries().states(jobs);
            cluster.notes()
                    .demand(seen.isEmpty(), invariant, () -> seen.size() + " jobs are seen: " + states(seen.values()));
        }
    }

    private static String states(Iterable<StateName> seen) {
        StringBuilder text = new StringBuilder();
        seen.forEach(state -> text.append(state).append(' '));
        return text.toString();
    }

    private NewJob job() {
        Lane lane = dice.pick(cluster.plan().lanes());
        JobTraits traits = JobTraits.DEFAULT
                .withQueue(lane.queue())
                .withTags(lane.tags().toArray(String[]::new))
                .withUses(lane.uses())
                .withPriority(dice.between(-1, 1))
                .withKey(dice.chance(0.3) ? KeyRule.mailbox("app") : null);
        return new NewJob(ids.nextJobId(), Deployment.invocation(Kind.GOOD), due(), traits);
    }

    private Due due() {
        return switch (dice.below(4)) {
            case 0 -> new Due.After(dice.millis(0, 3_000));
            case 1 -> new Due.At(cluster.time().instant().plus(dice.millis(-1_000, 2_000)));
            default -> Due.NOW;
        };
    }
}
