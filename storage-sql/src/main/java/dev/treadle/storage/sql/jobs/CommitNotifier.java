package dev.treadle.storage.sql.jobs;

import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.portable.Notifier;
import dev.treadle.storage.sql.portable.TransactionAge;
import dev.treadle.storage.sql.session.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a commit means to those who look for jobs: to the next claim of this process, and to other processes. Thread-safe.
 *
 * @param afterCommit takes what to do once it has come; what it is given at once if it has
 */
public record CommitNotifier(DialectStatements verbs, Notifier notifier, Consumer<Runnable> afterCommit) {
    /** For so many jobs is rung where their number is not known. */
    private static final int SEVERAL = 8;
    /** Other processes are told of the beginnings of transactions that were open for longer. */
    private static final Duration LATE = Duration.ofMillis(500);

    /** This many jobs may run now that waited for their time, or were parked. */
    public void moved(int jobs) {
        if (jobs > 0) {
            afterCommit.accept(() -> {
                verbs.lookAgain();
                notifier.jobsDue(null, jobs);
            });
        }
    }

    /** @param keyed the end of one may have let the next of its key go on */
    public void recorded(List<Transition> endings, boolean keyed) {
        afterCommit.accept(() -> tellOf(endings, keyed));
    }

    private void tellOf(List<Transition> endings, boolean keyed) {
        for (Transition ending : endings) {
            if (ending.next() == StateName.ENQUEUED) {
                verbs.lookFrom(ending.lease().dueSince());
            }
        }
        if (keyed) {
            mayBeDue(true);
        }
    }

    /** A job may stand before others that were claimed already. */
    public void mayStandBefore() {
        afterCommit.accept(verbs::lookAgain);
    }

    /** The same; and others are told if it may run now. */
    public void mayBeDue(boolean now) {
        afterCommit.accept(() -> {
            verbs.lookAgain();
            if (now) {
                notifier.jobsDue(null, SEVERAL);
            }
        });
    }

    /**
     * Announces the commit of a caller's transaction, in that transaction.
     *
     * @param isHooked whether this process will know of the commit
     * @return what to do after the commit
     */
    public Runnable announce(Session session, boolean isHooked) throws SQLException {
        TransactionAge age = verbs.age(session);
        if (!isHooked) {
            notifier.withCommit(session, age == null ? null : age.began());
        }
        return () -> {
            if (age != null) {
                verbs.committedLate(age.began());
                if (age.at(System.nanoTime()).compareTo(LATE) > 0) {
                    notifier.committedLate(age.began());
                }
            }
        };
    }

    /** Something changed that all nodes should look at. */
    public void changed() {
        afterCommit.accept(notifier::changed);
    }
}
