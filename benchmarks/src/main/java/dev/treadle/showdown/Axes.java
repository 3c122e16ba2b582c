package dev.treadle.showdown;

import java.util.List;

/**
 * What curves that stand side by side have in common, so that they can be compared by eye.
 *
 * @param seconds   the end of the time axis
 * @param megabytes the top of the heap axis, a round number
 */
record Axes(double seconds, double megabytes) {
    private static final double MEGABYTE = 1024 * 1024;
    private static final int TICKS_LEAST = 3;

    static Axes of(List<Section.Curve> curves) {
        double seconds = 1;
        double megabytes = 1;
        for (Section.Curve curve : curves) {
            for (Sample sample : curve.samples()) {
                seconds = Math.max(seconds, seconds(sample));
                megabytes = Math.max(megabytes, megabytes(Math.max(sample.size(), sample.used())));
            }
        }
        double step = step(megabytes);
        return new Axes(seconds, Math.ceil(megabytes / step) * step);
    }

    /** The distance between two marks on an axis of that length: 1, 2 or 5 times a power of ten. */
    static double step(double length) {
        double power = Math.pow(10, Math.floor(Math.log10(length / TICKS_LEAST)));
        double rough = length / TICKS_LEAST / power;
        return power * (rough >= 5 ? 5 : rough >= 2 ? 2 : 1);
    }

    static double seconds(Sample sample) {
        return sample.millis() / 1_000.0;
    }

    static double megabytes(long bytes) {
        return bytes / MEGABYTE;
    }
}
