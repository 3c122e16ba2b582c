package dev.treadle.admission;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The code of a run that asks for permits: a thread's own code, or a fork. A thread alone does not identify it, because a
 * thread that joins a fork may run that fork itself.
 *
 * @param self  identifies the code, compared by identity
 * @param above the code that forked this code, followed by the code that forked that; empty for a thread's own code
 */
public record PermitRequester(Object self, List<Above> above) {
    /**
     * Code that has forked, and will wait for its forks.
     *
     * @param self        identifies the code when it asks for permits itself
     * @param takenBefore {@link HeldPermits#taken} at the fork: permits taken before are held until the fork has ended
     * @param waits       whether it waits for its forks now, so that it gives nothing back in the meantime
     */
    public record Above(Object self, int takenBefore, BooleanSupplier waits) {
        boolean holdsOnTo(Object by, int number) {
            return by == self && (number <= takenBefore || waits.getAsBoolean());
        }
    }

    /** A thread's own code, which was not forked. */
    public static PermitRequester of(Thread thread) {
        return new PermitRequester(thread, List.of());
    }
}
