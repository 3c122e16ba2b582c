package dev.treadle.storage;

import dev.treadle.job.Lane;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Told, for one node, of jobs that others make due. Of several nodes one is told for each job; so each is asked first how
 * many it could take. Called on threads of the storage: each call must return at once.
 */
public interface DueListener {
    /** How many jobs wait if that is not known: as many as there is room for. */
    int ANY_NUMBER = Integer.MAX_VALUE;

    /**
     * How many more jobs this node could take now.
     *
     * @param lane null for any
     */
    int room(@Nullable Lane lane);

    /**
     * Jobs wait, and this node is the one to take them.
     *
     * @param lane null if it is not known
     * @param jobs how many are for this node, while other nodes get others; or {@link #ANY_NUMBER}
     */
    void due(@Nullable Lane lane, int jobs);

    /** Something may have changed, or jobs may still wait that another node was told of: look within this time. */
    void lookWithin(Duration rest);

    /** A job becomes due after so long. */
    void dueIn(Duration delay);
}
