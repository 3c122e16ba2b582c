package dev.treadle.admission;

/**
 * The heap at one moment, in bytes.
 *
 * @param max         what it may become
 * @param used        what is used now: live objects and garbage
 * @param live        what the last collections left: of a part that is collected seldom, what its own last collection
 *                    left, however long ago that was
 * @param atMost      the same, but of such a part what is used now: garbage may be in it, and nothing live is missing
 * @param collections how many there have been
 * @param thorough    how many of them left out no part, so that {@code live} says how things stood after the last one
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
