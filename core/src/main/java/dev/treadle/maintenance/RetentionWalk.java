package dev.treadle.maintenance;

import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.StorageProvider.RetentionStep;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes jobs that ended long ago, a few at a time. It rests at least as long as it works, so that running jobs get the
 * storage. One thread takes turns.
 */
public final class RetentionWalk {
    /** How many jobs one step looks at. */
    static final int STEP_JOBS = 500;
    /** The shortest rest between two steps, in milliseconds; a rest is never shorter than the step before it. */
    static final long REST_MILLIS_MIN = 20;
    /** The rest after all jobs have been looked at, in seconds. */
    static final long PASS_REST_SECONDS = 60;

    private static final Logger LOG = LoggerFactory.getLogger(RetentionWalk.class);

    private final StorageProvider storage;
    private final NodeId self;
    private final RetentionSettings settings;
    private final InstantSource time;
    private long deleted;

    /** For one node. */
    public RetentionWalk(StorageProvider storage, NodeId self, RetentionSettings settings, InstantSource time) {
        this.storage = storage;
        this.self = self;
        this.settings = settings;
        this.time = time;
    }

    /** Takes one step. */
    public Duration turn() {
        Duration passRest = Duration.ofSeconds(PASS_REST_SECONDS);
        if (settings.shortest() == null) {
            return passRest;
        }
        Instant began = time.instant();
        RetentionStep step = storage.deleteEnded(self, settings, STEP_JOBS);
        deleted += step.deleted();
        if (!step.walked()) {
            return passRest;
        }
        if (step.atEnd()) {
            if (deleted > 0) {
                LOG.info("Deleted {} jobs that ended long ago.", deleted);
                deleted = 0;
            }
            return passRest;
        }
        Duration took = Duration.between(began, time.instant());
        Duration least = Duration.ofMillis(REST_MILLIS_MIN);
        return took.compareTo(least) > 0 ? took : least;
    }
}
