package dev.treadle.showdown;

import java.util.Locale;

/**
 * What a run is measured with.
 *
 * @param renderer {@code fop} or {@code docx4j}
 * @param permits  jobs at once
 */
record Setup(Contender contender, String renderer, int permits) {

    /** Names files: {@code jdk-25-virtual-fop-1000}. */
    String id() {
        return contender.label().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + "-" + renderer + "-"
                + permits;
    }
}
