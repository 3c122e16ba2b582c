package dev.treadle.showdown;

import java.util.List;
import java.util.Optional;

/** One line of the curve of time over heap: an executor with its permits, with the heap guard or without. */
final class CurveLine {
    private static final String GUARDED = "+guard";
    /** Every name there is: an executor, then its permits if they are not its own, then the guard. */
    static final List<String> NAMES = List.of(
            "virtual",
            "virtual+guard",
            "pool",
            "pool+guard",
            "pool-1000",
            "pool-1000+guard",
            "old-pool",
            "old-pool+guard",
            "old-pool-1000",
            "old-pool-1000+guard");

    static final List<String> USUAL =
            List.of("virtual", "virtual+guard", "pool-1000", "pool-1000+guard", "pool", "pool+guard");
    static final List<String> QUICK = List.of("virtual", "virtual+guard", "pool");

    private CurveLine() {}

    /** What it is measured with; nothing where its JDK is missing. */
    static Optional<Setup> setup(String name, List<Contender> contenders, String renderer, int cores) {
        boolean guarded = name.endsWith(GUARDED);
        String plain = guarded ? name.substring(0, name.length() - GUARDED.length()) : name;
        // as Contender.of has them: the pool on the oldest JDK, the pool and virtual threads on the newest
        int column = plain.startsWith("virtual") ? 2 : plain.startsWith("old") ? 0 : 1;
        Contender contender = contenders.get(column);
        int permits = plain.endsWith("1000") ? Plan.EQUAL_PERMITS : contender.defaultPermits(cores);
        return contender.isThere() ? Optional.of(new Setup(contender, renderer, permits, guarded)) : Optional.empty();
    }
}
