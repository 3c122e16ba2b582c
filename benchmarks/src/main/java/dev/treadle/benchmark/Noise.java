package dev.treadle.benchmark;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Notices when others use the machine: the processor time that it spends, or that its host keeps from it, beyond what we
 * and our database spend. From {@code /proc}; where there is none, it notices nothing.
 */
public final class Noise {
    /** The part of all cores' time that others may use before a run counts as noisy. */
    private static final double OTHERS_MAX = 0.05;

    private static final double LOAD_PER_CORE_MAX = 0.5;
    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final Path STAT = Path.of("/proc/stat");
    /** Where a processor's counters of /proc/stat begin, and which of them are idle time or counted twice. */
    private static final List<Integer> NOT_BUSY = List.of(3, 4, 8, 9);

    private static final double MICROS_PER_TICK = 10_000;

    private double beganMicros;
    private long beganAt;
    private int noisy;
    private int runs;

    /** A warning if somebody else is using this machine now. */
    public Optional<String> atStart() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load <= LOAD_PER_CORE_MAX * CORES
                ? Optional.empty()
                : Optional.of(String.format(
                        "The load average is %.1f on %d cores: others are using this machine, and figures will be low.",
                        load, CORES));
    }

    /** @param postmaster our database's first process; 0 if it is not there yet */
    public void begin(long postmaster) {
        beganAt = System.nanoTime();
        beganMicros = othersMicros(postmaster);
    }

    /** Whether others used the machine since the beginning. */
    boolean end(long postmaster) {
        boolean isNoisy = othersShare(postmaster) > OTHERS_MAX;
        runs++;
        noisy += isNoisy ? 1 : 0;
        return isNoisy;
    }

    /** The part of all cores' time that others have used since the beginning, 0 to 1. */
    public double othersShare(long postmaster) {
        double all = CORES * (System.nanoTime() - beganAt) / 1e3;
        return Math.min(1, Math.max(0, (othersMicros(postmaster) - beganMicros) / all));
    }

    /** A warning if it was noisy in any run. */
    Optional<String> atEnd() {
        return noisy == 0
                ? Optional.empty()
                : Optional.of("Others used more than 5 % of the machine in " + noisy + " of " + runs
                        + " runs: measure again when it is quiet before you believe absolute figures.");
    }

    private static double othersMicros(long postmaster) {
        double ours = ProcessTimes.microsWithChildren(ProcessHandle.current().pid())
                + (postmaster == 0 ? 0 : ProcessTimes.microsWithChildren(postmaster));
        return busyMicros() - ours;
    }

    /** What all processors have done so far, time that the host took away included. */
    private static double busyMicros() {
        try {
            long[] counters = Arrays.stream(
                            Files.readAllLines(STAT).get(0).trim().split(" +"))
                    .skip(1)
                    .mapToLong(Long::parseLong)
                    .toArray();
            long ticks = 0;
            for (int i = 0; i < counters.length; i++) {
                ticks += NOT_BUSY.contains(i) ? 0 : counters[i];
            }
            return ticks * MICROS_PER_TICK;
        } catch (IOException e) {
            return 0;
        }
    }
}
