package dev.treadle.storage.sql;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.DueListener;
import dev.treadle.storage.Ending;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a commit means to those who look for jobs: to the next claim of this process, and to other processes. Thread-safe.
 *
 * @param bell null where the database has none, or it was not wanted
 */
record CommitNotifier(DialectStatements verbs, @Nullable PostgresNotifier bell) {
    /** For so many jobs is rung where their number is not known. */
    private static final int SEVERAL = 8;

    Runnable tellWhenDue(NodeId node, DueListener listener) {
        if (bell == null) {
            return () -> {};
        }
        bell.isHeardBy(node);
        return bell.hear(node, listener);
    }

    boolean isHeard() {
        return bell != null && bell.isHearing();
    }

    void tellOthers(Lane lane) {
        if (bell != null) {
            bell.ringOthers(lane);
        }
    }

    /** So many jobs may run now that waited for their time, or were parked. */
    void moved(int jobs) {
        if (jobs > 0) {
            verbs.lookAgain();
            if (bell != null) {
                bell.ring(null, jobs);
            }
        }
    }

    /** @param keyed the end of one may have let the next of its key go on */
    void recorded(List<Ending> endings, boolean keyed) {
        for (Ending ending : endings) {
            if (ending instanceof Ending.GiveBack) {
                verbs.lookFrom(ending.lease().dueSince());
            }
        }
        if (keyed) {
            mayBeDue(true);
        }
    }

    /** A job may stand before others that were claimed already. */
    void mayStandBefore() {
        verbs.lookAgain();
    }

    /** The same; and others are told if it may run now. */
    void mayBeDue(boolean now) {
        verbs.lookAgain();
        if (bell != null && now) {
            bell.ring(null, SEVERAL);
        }
    }

    /** Something changed that all nodes should look at. */
    void changed() {
        if (bell != null) {
            bell.ringChanged();
        }
    }
}
