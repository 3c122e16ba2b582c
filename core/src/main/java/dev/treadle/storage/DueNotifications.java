package dev.treadle.storage;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;

/**
 * Tells nodes at once of work that other processes make. Only hints that save a wait: what is not told is found by the next
 * {@linkplain StorageProvider#outlook look}. Thread-safe.
 */
public interface DueNotifications {
    /** Of a storage that tells nothing. */
    DueNotifications NONE = new DueNotifications() {
        @Override
        public Runnable listen(NodeId node, DueListener listener) {
            return () -> {};
        }

        @Override
        public boolean areComplete() {
            return false;
        }

        @Override
        public void passOn(Lane lane) {}
    };

    /**
     * Tells a node when others make jobs due; what the node itself does here it knows.
     *
     * @return ends that; may be run again
     */
    Runnable listen(NodeId node, DueListener listener);

    /**
     * Whether all that others make due, or change, is told at present. Where it is not, nodes look as often as their
     * settings say.
     */
    boolean areComplete();

    /** Jobs wait in a lane and this node has no room for them: others are told. */
    void passOn(Lane lane);
}
