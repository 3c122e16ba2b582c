package dev.treadle.claim;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.NewJob;
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
 * Claims due jobs for one node. If the answer to a claim is lost, the storage may have leased jobs to this node that it does
 * not know about. {@link #adopt} asks for them: often after such a loss, and now and then at all times, because a statement
 * can take effect long after this node gave up on it. One thread claims due jobs; any thread may insert leased ones.
 */
public final class Claimer {
    /** The highest number of jobs in one claim. */
    public static final int CLAIM_BATCH_MAX = 500;

    /** How long leases are compared more often after an answer was lost, as a multiple of {@code compareEvery}. */
    private static final int DOUBTFUL_FOR = 2;

    private final StorageProvider storage;
    private final NodeId node;
    private final InstantSource time;
    private final Duration compareEvery;
    private final AtomicReference<@Nullable Doubt> doubt = new AtomicReference<>();
    private volatile Instant compareAt;

    /** Until when a lost claim may still take effect in the storage, and when to look for its leases next. */
    private record Doubt(Instant until, Instant askAt) {}

    /** @param compareEvery how long a lease may exist that this node does not know about */
    public Claimer(StorageProvider storage, NodeId node, InstantSource time, Duration compareEvery) {
        this.storage = storage;
        this.node = node;
        this.time = time;
        this.compareEvery = compareEvery;
        this.compareAt = time.instant().plus(compareEvery);
    }

    /**
     * Leases at most {@code wanted} due jobs of a lane to this node.
     *
     * @param wanted at least 1; at most {@link #CLAIM_BATCH_MAX} are claimed
     */
    public List<Lease> claim(Lane lane, int wanted) {
        return answered(() -> storage.claim(node, lane, Math.min(wanted, CLAIM_BATCH_MAX)));
    }

    /** Inserts jobs that are due now with a lease for this node. Returns the leases of those that did not exist already. */
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

    /** Notes that an answer was lost: the storage may have leased jobs to this node that it does not know about. */
    public void doubt() {
        Instant now = time.instant();
        doubt.set(new Doubt(now.plus(compareEvery.multipliedBy(DOUBTFUL_FOR)), now));
    }

    /** Whether it is time to look for jobs that a lost claim leased to this node. */
    public boolean isInDoubt() {
        Doubt now = doubt.get();
        return now != null && !time.instant().isBefore(now.askAt);
    }

    /** Whether it is time to compare the leases in the storage with those that this node knows. */
    public boolean isTimeToCompare() {
        return isInDoubt() || !time.instant().isBefore(compareAt);
    }

    /**
     * The jobs that the storage has leased to this node without its knowledge.
     *
     * @param known the runs that this node knows
     */
    public List<Lease> adopt(Set<RunId> known) {
        // read before asking: a slow answer says nothing about what took effect while it was on its way
        Instant asked = time.instant();
        Doubt before = doubt.get();
        List<Lease> unknown = storage.leasesOf(node, known);
        compareAt = asked.plus(compareEvery);
        boolean stillInDoubt = before != null && asked.isBefore(before.until);
        // a doubt that arose in the meantime stays
        doubt.compareAndSet(
                before, stillInDoubt ? new Doubt(before.until, asked.plus(compareEvery.dividedBy(2))) : null);
        return unknown;
    }
}
