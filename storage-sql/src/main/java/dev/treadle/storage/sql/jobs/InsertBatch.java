package dev.treadle.storage.sql.jobs;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.Lane;
import dev.treadle.storage.NewJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * New jobs that are kept together, and what they need. Looked at in one walk and without streams, because most come one
 * at a time and into processes that have just started, where a stream costs many times what it does.
 *
 * @param jobs      of different ids, in their order, so that two who insert the same jobs wait in turn and not crosswise
 * @param keyed     one has a key
 * @param described one has a label or a deadline
 * @param anyDue    one is due now
 * @param isOneKind all are of one lane, and all are due now or none
 * @param unordered one may stand before jobs that were claimed already
 */
record InsertBatch(
        List<NewJob> jobs, boolean keyed, boolean described, boolean anyDue, boolean isOneKind, boolean unordered) {

    /** @param twice gets the ids of jobs that are left out because their id came before */
    static InsertBatch of(List<NewJob> all, Set<JobId> twice) {
        List<NewJob> jobs = all.size() == 1 ? all : inKeyOrder(all, twice);
        boolean keyed = false;
        boolean described = false;
        boolean anyDue = false;
        boolean anyLater = false;
        boolean unordered = false;
        boolean oneLane = true;
        Lane lane = null;
        for (NewJob job : jobs) {
            boolean due = job.due() instanceof Due.Now;
            anyDue |= due;
            anyLater |= !due;
            keyed |= job.traits().key() != null;
            described |= !job.traits().labels().isEmpty() || job.traits().deadline() != null;
            unordered |= job.priority() != 0 || job.due() instanceof Due.At;
            oneLane &= lane == null || lane.equals(job.lane());
            lane = job.lane();
        }
        return new InsertBatch(jobs, keyed, described, anyDue, oneLane && !(anyDue && anyLater), unordered || keyed);
    }

    private static List<NewJob> inKeyOrder(List<NewJob> jobs, Set<JobId> twice) {
        Map<JobId, NewJob> different = new LinkedHashMap<>();
        for (NewJob job : jobs) {
            if (different.putIfAbsent(job.id(), job) != null) {
                twice.add(job.id());
            }
        }
        List<NewJob> sorted = new ArrayList<>(different.values());
        sorted.sort(Comparator.comparing(NewJob::id));
        return sorted;
    }

    /** Whether more than one statement keeps them. */
    boolean isMixed() {
        return keyed || described || !isOneKind;
    }
}
