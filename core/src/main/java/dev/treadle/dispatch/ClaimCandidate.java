package dev.treadle.dispatch;

import dev.treadle.claim.Claimer;
import dev.treadle.storage.PendingWork.Head;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A lane that has a waiting job, and whose queue has room for it.
 *
 * @param room     how many of its jobs the queue could take
 * @param poolRoom how many jobs the queue's executor could take in all
 */
record ClaimCandidate(Head head, LocalQueue queue, int room, int poolRoom) {
    /** The first candidate of the queue that comes next. */
    static ClaimCandidate nextOf(List<ClaimCandidate> candidates, PoolQueues pool) {
        LocalQueue next = pool.nextToClaim(queuesOf(candidates));
        ClaimCandidate first = null;
        for (ClaimCandidate candidate : candidates) {
            if (candidate.queue == next && (first == null || candidate.isBefore(first))) {
                first = candidate;
            }
        }
        return Objects.requireNonNull(first);
    }

    /** The order among the lanes of one queue. */
    private boolean isBefore(ClaimCandidate other) {
        return head.priority() != other.head.priority()
                ? head.priority() < other.head.priority()
                : head.dueSince().isBefore(other.head.dueSince());
    }

    /** Its share of the executor's room: all of it if no other queue waits, so that one claim is enough. */
    static int share(ClaimCandidate candidate, List<ClaimCandidate> all) {
        int weights = 0;
        for (LocalQueue queue : queuesOf(all)) {
            weights += queue.weight();
        }
        int share = (int) (((long) candidate.poolRoom * candidate.queue.weight() + weights - 1) / weights);
        return Math.min(Math.min(candidate.room, share), Claimer.CLAIM_BATCH_MAX);
    }

    private static List<LocalQueue> queuesOf(List<ClaimCandidate> candidates) {
        Set<LocalQueue> queues = new LinkedHashSet<>();
        for (ClaimCandidate candidate : candidates) {
            queues.add(candidate.queue);
        }
        return List.copyOf(queues);
    }
}
