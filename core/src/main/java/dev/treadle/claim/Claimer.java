package dev.treadle.claim;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.RunId;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes due jobs for one node. When the answer of a claim is lost, the storage may have leased jobs to this node that
 * it does not know of; {@link #adopt} asks for them, often after such a loss and now and then for ever: the statement may
 * take effect long after it was given up here. Due jobs are claimed by one thread; any thread may have new ones leased.
 */
public final class Claimer {
    /** Most jobs taken by one claim, in jobs. */
    public static final int CLAIM_BATCH_MAX = 500;

    /** How long leases are compared more often after an answer was lost, in {@code compareEvery}. */
    private static final int DOUBTFUL_FOR = 2;

    private final StorageProvider storage;
    private final NodeId node;
    private final InstantSource time;
    private final Duration compareEvery;
    private final AtomicReference<@Nullable Doubt> doubt = new AtomicReference<>();
    private volatile Instant compareAt;

    /** Until when a lost claim may still turn up in the storage, and when to look for it next. */
    private record Doubt(Instant until, Instant askAt) {}

    /** @param compareEvery how long a lease may stand that this node does not know of */
    public Claimer(StorageProvider storage, NodeId node, InstantSource time, Duration compareEvery) {
        this.storage = storage;
        this.node = node;
        this.time = time;
        this.compareEvery = compareEvery;
        this.compareAt = time.instant().plus(compareEvery);
    }

    /**
     * At most {@code wanted} due jobs of a lane, now leased to this node.
     *
     * @param wanted at least 1; more than {@link #CLAIM_BATCH_MAX} counts as that
     */
    public List<Lease> claim(Lane lane, int wanted) {
        return answered(() -> storage.claim(node, lane, Math.min(wanted, CLAIM_BATCH_MAX)));
    }

    /** Keeps new jobs that are due now, leased to this node; gives back the leases of those that were not there yet. */
    public List<Lease> insertLeased(List<NewJob> jobs) {
        return answered(() -> storage.insertLeased(node, jobs));
    }

    private List<Lease> answered(Supplier<List<Lease>> call) {
        boolean answered = false;
        try {
            List<Lease> taken = call.get();
            answered = true;
            return taken;
        } finally {
            if (!answered) {
                doubt();
            }
        }
    }

    /** The storage may have leased jobs to this node that nobody here knows of: an answer was lost, or what it told. */
    public void doubt() {
        Instant now = time.instant();
        doubt.set(new Doubt(now.plus(compareEvery.multipliedBy(DOUBTFUL_FOR)), now));
    }

    /** Whether it is time to look for jobs that a lost claim leased to this node. */
    public boolean isInDoubt() {
        Doubt now = doubt.get();
        return now != null && !time.instant().isBefore(now.askAt);
    }

    /** Whether it is time to compare what the storage has leased to this node with what it knows of. */
    public boolean isTimeToCompare() {
        return isInDoubt() || !time.instant().isBefore(compareAt);
    }

    /**
     * What the storage has leased to this node and it does not know of.
     *
     * @param known what it does
     */
    public List<Lease> adopt(Set<RunId> known) {
        // why before asking: an answer that took long says nothing about what took effect while it was under way
        Instant asked = time.instant();
        Doubt before = doubt.get();
        List<Lease> unknown = storage.leasesOf(node, known);
        compareAt = asked.plus(compareEvery);
        boolean stillInDoubt = before != null && asked.isBefore(before.until);
        // a doubt that arose after the question stays as it is
        doubt.compareAndSet(
                before, stillInDoubt ? new Doubt(before.until, asked.plus(compareEvery.dividedBy(2))) : null);
        return unknown;
    }
}
