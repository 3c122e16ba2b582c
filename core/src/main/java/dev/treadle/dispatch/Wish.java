package dev.treadle.dispatch;

import dev.treadle.claim.Claimer;
import dev.treadle.storage.QueueStorage.Head;
import java.util.Comparator;
import java.util.List;

/**
 * Something that waits, and the line that has room for it.
 *
 * @param room       how many of its jobs the line would take
 * @param roomOfCrew how many the line's executor would take in all
 */
record Wish(Head head, Line line, int room, int roomOfCrew) {
    /** Among the lanes of one queue. */
    private static final Comparator<Wish> FIRST =
            Comparator.<Wish>comparingInt(wish -> wish.head.priority()).thenComparing(wish -> wish.head.dueSince());

    /** The first of the line whose turn it is. */
    static Wish nextOf(List<Wish> wishes, Crew crew) {
        Line next = crew.nextToClaim(linesOf(wishes));
        return wishes.stream().filter(wish -> wish.line == next).min(FIRST).orElseThrow();
    }

    /** How much of its executor's room it gets: all of it if nothing else waits, so that one claim is enough then. */
    static int share(Wish wish, List<Wish> all) {
        int weights = linesOf(all).stream().mapToInt(Line::weight).sum();
        int share = (int) (((long) wish.roomOfCrew * wish.line.weight() + weights - 1) / weights);
        return Math.min(Math.min(wish.room, share), Claimer.CLAIM_BATCH_MAX);
    }

    private static List<Line> linesOf(List<Wish> wishes) {
        return wishes.stream().map(Wish::line).distinct().toList();
    }
}
