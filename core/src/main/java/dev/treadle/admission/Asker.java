package dev.treadle.admission;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Which code of a run asks for permits: a thread's own, or that of a fork. Not the thread alone, since one thread may run
 * a fork in the midst of the code that joins it.
 *
 * @param self  what tells it from all others, by identity
 * @param above the code that it was forked by, and what that was forked by; empty for a thread's own
 */
public record Asker(Object self, List<Above> above) {
    /**
     * Code that has forked, and waits for its forks at some time.
     *
     * @param self        who it is when it asks itself
     * @param takenBefore {@link HeldPermits#taken} when it forked: what it took before that, it holds on to until the fork has ended
     * @param waits       whether it waits now, so that it gives back nothing for now
     */
    public record Above(Object self, int takenBefore, BooleanSupplier waits) {
        boolean holdsOnTo(Object by, int number) {
            return by == self && (number <= takenBefore || waits.getAsBoolean());
        }
    }

    /** A thread's own code, which nobody has forked. */
    public static Asker of(Thread thread) {
        return new Asker(thread, List.of());
    }
}
