package dev.treadle.claim;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.Leased;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes due jobs for one node. When the answer of a claim is lost, the storage may have leased jobs to this node that
 * it does not know of; for a while after that {@link #adopt} asks for them. Due jobs are claimed by one thread; any
 * thread may have new ones leased.
 */
public final class Claimer {
    /** Most jobs taken by one claim, in jobs. */
    public static final int CLAIM_BATCH_MAX = 500;

    private final StorageProvider storage;
    private final NodeId node;
    private final InstantSource time;
    private final Duration doubtFor;
    private final AtomicReference<@Nullable Doubt> doubt = new AtomicReference<>();

    /** Until when a lost claim may still turn up in the storage, and when to look for it next. */
    private record Doubt(Instant until, Instant askAt) {}

    /**
     * @param doubtFor how long a claim that failed here may still take effect in the storage
     */
    public Claimer(StorageProvider storage, NodeId node, InstantSource time, Duration doubtFor) {
        this.storage = storage;
        this.node = node;
        this.time = time;
        this.doubtFor = doubtFor;
    }

    /**
     * At most {@code wanted} due jobs of a lane, now leased to this node.
     *
     * @param wanted at least 1; more than {@link #CLAIM_BATCH_MAX} counts as that
     */
    public List<Leased> claim(Lane lane, int wanted) {
        return answered(() -> storage.claim(node, lane, Math.min(wanted, CLAIM_BATCH_MAX)));
    }

    /** Keeps new jobs that are due now, leased to this node; gives back the leases of those that were not there yet. */
    public List<Leased> insertLeased(List<NewJob> jobs) {
        return answered(() -> storage.insertLeased(node, jobs));
    }

    private List<Leased> answered(Supplier<List<Leased>> call) {
        boolean answered = false;
        try {
            List<Leased> taken = call.get();
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
        doubt.set(new Doubt(now.plus(doubtFor), now));
    }

    /** Whether it is time to look for jobs that a lost claim leased to this node. */
    public boolean isInDoubt() {
        Doubt now = doubt.get();
        return now != null && !time.instant().isBefore(now.askAt);
    }

    /** Everything the storage has leased to this node, known here or not. */
    public List<Leased> adopt() {
        // why before asking: an answer that took long says nothing about what took effect while it was under way
        Instant asked = time.instant();
        Doubt before = doubt.get();
        List<Leased> mine = storage.leasesOf(node);
        boolean stillInDoubt = before != null && asked.isBefore(before.until);
        // a doubt that arose meanwhile stays as it is
        doubt.compareAndSet(before, stillInDoubt ? new Doubt(before.until, asked.plus(doubtFor.dividedBy(4))) : null);
        return mine;
    }
}
