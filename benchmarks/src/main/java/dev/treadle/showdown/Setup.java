package dev.treadle.showdown;

import java.util.Locale;

/**
 * What a run is measured with.
 *
 * @param renderer {@code fop} or {@code docx4j}
 * @param permits  jobs at once
 * @param guarded  whether the heap guard is on
 */
record Setup(Contender contender, String renderer, int permits, boolean guarded) {
    /** Without the heap guard. */
    Setup(Contender contender, String renderer, int permits) {
        this(contender, renderer, permits, false);
    }

    /** Names files: {@code jdk-25-virtual-fop-1000}, and with the heap guard {@code jdk-25-virtual-fop-1000-guard}. */
    String id() {
        return contender.label().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + "-" + renderer + "-" + permits
                + (guarded ? "-guard" : "");
    }
}
