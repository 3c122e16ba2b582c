package dev.treadle.example.shop.experiment;

import java.lang.management.ManagementFactory;

/**
 * Where it was measured.
 *
 * @param text   cores, system, Java and heap
 * @param before the system's load average before it; negative where the system does not tell
 * @param after  the same after it
 */
record Machine(String text, double before, double after) {
    static Machine here(String heap, double before) {
        return new Machine(
                Runtime.getRuntime().availableProcessors() + " cores, " + System.getProperty("os.name") + " "
                        + System.getProperty("os.arch") + ", Java "
                        + Runtime.version().feature() + ", `-Xmx" + heap + "`",
                before,
                loadAverage());
    }

    static double loadAverage() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
