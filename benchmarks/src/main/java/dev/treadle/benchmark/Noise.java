package dev.treadle.benchmark;

import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.stream.IntStream;

/** Notices when others use the machine: a fixed piece of arithmetic on all cores takes longer than it can take. */
final class Noise {
    /** How much longer than the best ever seen here counts as noisy. */
    private static final double TOLERANCE = 1.15;

    private static final double LOAD_PER_CORE_MAX = 0.5;
    private static final int TURNS = 40_000_000;
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private double best = Double.MAX_VALUE;
    private int noisy;
    private int looks;
    private long sink;

    /** Lets the arithmetic be compiled, and finds out how long it takes. */
    Noise() {
        for (int i = 0; i < 5; i++) {
            best = Math.min(best, seconds());
        }
    }

    /** A warning if somebody else is using this machine now. */
    Optional<String> atStart() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load <= LOAD_PER_CORE_MAX * CORES
                ? Optional.empty()
                : Optional.of(String.format(
                        "The load average is %.1f on %d cores: others are using this machine, and figures will be low.",
                        load, CORES));
    }

    /** A look before a run; true if it was noisy. */
    boolean look() {
        double now = seconds();
        best = Math.min(best, now);
        looks++;
        boolean isNoisy = now > best * TOLERANCE;
        if (isNoisy) {
            noisy++;
        }
        return isNoisy;
    }

    /** A warning if it was noisy before any run. */
    Optional<String> atEnd() {
        return noisy == 0
                ? Optional.empty()
                : Optional.of("The machine was noisy before " + noisy + " of " + looks
                        + " runs (a fixed calculation took more than 15 % longer than at its best): measure again when it"
                        + " is quiet before you believe absolute figures.");
    }

    private double seconds() {
        long from = System.nanoTime();
        sink += IntStream.range(0, CORES)
                .parallel()
                .mapToLong(seed -> {
                    long x = seed + 88_172_645_463_325_252L;
                    for (int i = 0; i < TURNS; i++) {
                        x ^= x << 13;
                        x ^= x >>> 7;
                        x ^= x << 17;
                    }
                    return x;
                })
                .sum();
        return (System.nanoTime() - from) / 1e9;
    }
}
