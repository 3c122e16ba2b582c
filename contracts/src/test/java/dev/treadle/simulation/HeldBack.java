package dev.treadle.simulation;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A transaction of an application, as far as others can tell: what is written in it is held back until its commit, and
 * came due at its beginning. The storage in memory joins nothing, so this stands for one that does. Locks of keys and
 * names are not modelled: what a transaction locks is for the tests on databases.
 */
class HeldBack {
    private final Instant began;
    private final List<NewJob> jobs = new ArrayList<>();

    HeldBack(Instant began) {
        this.began = began;
    }

    /** Writes jobs in the transaction; {@code storage} is what others see. */
    void write(List<NewJob> fresh, StorageProvider storage) {
        jobs.addAll(fresh);
    }

    /** Makes all of it seen at once. */
    Set<JobId> commit(StorageProvider storage) {
        return storage.insert(jobs.stream().map(this::asOfItsBeginning).toList());
    }

    /** Leaves nothing. */
    void rollBack(StorageProvider storage) {}

    List<NewJob> jobs() {
        return jobs;
    }

    Instant began() {
        return began;
    }

    private NewJob asOfItsBeginning(NewJob job) {
        Instant due = job.due() instanceof Due.After after
                ? began.plus(after.delay())
                : job.due() instanceof Due.At at ? at.instant() : began;
        return new NewJob(job.id(), job.invocation(), new Due.At(due), job.traits());
    }

    /** Writes at once what should be held back: no transaction around the insert. */
    static final class SeenTooSoon extends HeldBack {
        SeenTooSoon(Instant began) {
            super(began);
        }

        @Override
        void write(List<NewJob> fresh, StorageProvider storage) {
            super.write(fresh, storage);
            storage.insert(fresh);
        }
    }

    /** Commits where it should roll back, as one that switches autocommit on does. */
    static final class OutlivesItsRollback extends HeldBack {
        OutlivesItsRollback(Instant began) {
            super(began);
        }

        @Override
        void rollBack(StorageProvider storage) {
            commit(storage);
        }
    }

    /** Forgets a part of what it commits. */
    static final class CommitsInPart extends HeldBack {
        CommitsInPart(Instant began) {
            super(began);
        }

        @Override
        Set<JobId> commit(StorageProvider storage) {
            if (jobs().size() > 2) {
                jobs().remove(0);
            }
            return super.commit(storage);
        }
    }
}
