package dev.treadle.maintenance;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Enqueues Parked jobs again when this node knows how to run them. */
public final class Unparker {
    /** The highest number of jobs moved by one call. */
    public static final int UNPARK_BATCH_MAX = StorageProvider.BATCH_MAX;

    private static final Logger LOG = LoggerFactory.getLogger(Unparker.class);

    private final StorageProvider storage;
    private final NodeId self;
    private final Supplier<Set<Lane>> serves;
    private final Predicate<String> knows;
    private final Runnable dueNow;
    private final Duration rest;

    /**
     * @param serves the lanes that this node claims from
     * @param knows  whether this node can run a target
     * @param dueNow run when jobs were enqueued again
     * @param rest   the rest between two looks
     */
    public Unparker(
            StorageProvider storage,
            NodeId self,
            Supplier<Set<Lane>> serves,
            Predicate<String> knows,
            Runnable dueNow,
            Duration rest) {
        this.storage = storage;
        this.self = self;
        this.serves = serves;
        this.knows = knows;
        this.dueNow = dueNow;
        this.rest = rest;
    }

    /** Enqueues one batch of each parked target that this node knows. */
    public Duration turn() {
        boolean more = false;
        Set<Lane> lanes = serves.get();
        for (String target : storage.parkedTargets(self, lanes)) {
            if (knows.test(target)) {
                int moved = storage.unpark(self, target, lanes, UNPARK_BATCH_MAX);
                more |= moved == UNPARK_BATCH_MAX;
                if (moved > 0) {
                    LOG.info("Enqueued {} parked jobs again: this node can run {}.", moved, target);
                    dueNow.run();
                }
            }
        }
        return more ? Duration.ZERO : rest;
    }
}
