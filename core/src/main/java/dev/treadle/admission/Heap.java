package dev.treadle.admission;

/**
 * The heap at one moment, in bytes.
 *
 * @param max         the largest size it may grow to
 * @param used        what is used now: live objects and garbage
 * @param live        what the last collections left. For a part that is rarely collected this is what its own last
 *                    collection left, however long ago that was
 * @param atMost      an upper limit of what is live: like {@code live}, but with what is used now in rarely collected parts
 * @param collections how many collections there have been
 * @param thorough    how many of them covered all parts, so that {@code live} was exact after the last of these
 */
public record Heap(long max, long used, long live, long atMost, long collections, long thorough) {
    double liveShare() {
        return share(live);
    }

    double atMostShare() {
        return share(atMost);
    }

    double usedShare() {
        return share(used);
    }

    private double share(long bytes) {
        return max <= 0 ? 0 : (double) bytes / max;
    }
}
