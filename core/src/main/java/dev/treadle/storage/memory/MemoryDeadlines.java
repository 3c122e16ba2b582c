package dev.treadle.storage.memory;

import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Trigger;
import java.time.Instant;
import java.util.Comparator;
import java.util.TreeSet;

/** Until when jobs must have ended. Guarded by the lock of its storage. */
final class MemoryDeadlines {
    /** Those of jobs that have ended stay until they are over: nobody looks for them before. */
    private final TreeSet<Deadline> all = new TreeSet<>();

    private record Deadline(Instant at, JobId job) implements Comparable<Deadline> {
        private static final Comparator<Deadline> ORDER =
                Comparator.comparing(Deadline::at).thenComparing(Deadline::job);

        @Override
        public int compareTo(Deadline other) {
            return ORDER.compare(this, other);
        }
    }

    /** A job is kept, or takes over the traits of another. */
    void keep(JobId job, JobTraits traits) {
        Instant at = traits.deadline();
        if (at != null) {
            all.add(new Deadline(at, job));
        }
    }

    /** A job has these traits no longer. */
    void forget(JobId job, JobTraits traits) {
        Instant at = traits.deadline();
        if (at != null) {
            all.remove(new Deadline(at, job));
        }
    }

    boolean isAnyOver(Instant now) {
        return !all.isEmpty() && !all.first().at.isAfter(now);
    }

    /**
     * Fails jobs whose deadline has passed.
     *
     * @return whether there are more
     */
    boolean expire(MemoryTables tables, Instant now, int max) {
        for (int left = max; left > 0 && isAnyOver(now); left--) {
            Deadline over = all.pollFirst();
            if (over != null) {
                tables.change(over.job, Trigger.EXPIRE, Details.expired(over.at));
            }
        }
        return isAnyOver(now);
    }
}
