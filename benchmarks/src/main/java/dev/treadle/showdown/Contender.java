package dev.treadle.showdown;

import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.executor.ScheduledThreadPoolJobRunrExecutor;
import dev.treadle.executor.virtual.VirtualThreadJobRunrExecutor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An executor on a JDK: one column of the report.
 *
 * @param label    such as {@code JDK 25 virtual}
 * @param executor {@code pool} or {@code virtual}
 * @param jdk      null where this machine has none that would do
 */
record Contender(String label, String executor, @Nullable Jdk jdk) {
    private static final String OLD = "JDK 17";

    /** The three of the published experiment, on the oldest JDK without and on the newest with virtual threads. */
    static List<Contender> of(List<Jdk> jdks) {
        Jdk old = jdks.stream()
                .filter(jdk -> !jdk.hasVirtualThreads())
                .findFirst()
                .orElse(null);
        Jdk young = jdks.stream()
                .filter(Jdk::hasVirtualThreads)
                .reduce((first, second) -> second)
                .orElse(null);
        String oldName = old == null ? OLD : "JDK " + old.feature();
        String youngName = young == null ? "JDK " + Jdk.VIRTUAL_MIN + "+" : "JDK " + young.feature();
        return List.of(
                new Contender(oldName + " pool", "pool", old),
                new Contender(youngName + " pool", "pool", young),
                new Contender(youngName + " virtual", "virtual", young));
    }

    /** How many jobs it runs at once by default. */
    int defaultPermits(int cores) {
        JobRunrExecutor own = executor.equals("virtual")
                ? new VirtualThreadJobRunrExecutor()
                : new ScheduledThreadPoolJobRunrExecutor();
        return own.defaultWorkers(cores);
    }

    boolean isThere() {
        return jdk != null;
    }
}
