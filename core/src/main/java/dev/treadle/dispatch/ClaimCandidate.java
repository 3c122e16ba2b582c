package dev.treadle.dispatch;

import dev.treadle.claim.Claimer;
import dev.treadle.storage.QueueStorage.Head;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Something that waits, and the line that has room for it.
 *
 * @param room       how many of its jobs the line would take
 * @param roomOfCrew how many the line's executor would take in all
 */
record ClaimCandidate(Head head, LocalQueue line, int room, int roomOfCrew) {
    /** The first of the line whose turn it is. */
    static ClaimCandidate nextOf(List<ClaimCandidate> wishes, WorkerPool crew) {
        LocalQueue next = crew.nextToClaim(linesOf(wishes));
        ClaimCandidate first = null;
        for (ClaimCandidate wish : wishes) {
            if (wish.line == next && (first == null || wish.isBefore(first))) {
                first = wish;
            }
        }
        return Objects.requireNonNull(first);
    }

    /** Among the lanes of one queue. */
    private boolean isBefore(ClaimCandidate other) {
        return head.priority() != other.head.priority()
                ? head.priority() < other.head.priority()
                : head.dueSince().isBefore(other.head.dueSince());
    }

    /** How much of its executor's room it gets: all of it if nothing else waits, so that one claim is enough then. */
    static int share(ClaimCandidate wish, List<ClaimCandidate> all) {
        int weights = 0;
        for (LocalQueue line : linesOf(all)) {
            weights += line.weight();
        }
        int share = (int) (((long) wish.roomOfCrew * wish.line.weight() + weights - 1) / weights);
        return Math.min(Math.min(wish.room, share), Claimer.CLAIM_BATCH_MAX);
    }

    private static List<LocalQueue> linesOf(List<ClaimCandidate> wishes) {
        Set<LocalQueue> lines = new LinkedHashSet<>();
        for (ClaimCandidate wish : wishes) {
            lines.add(wish.line);
        }
        return List.copyOf(lines);
    }
}
