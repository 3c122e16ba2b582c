package dev.treadle.showdown;

import java.util.List;

/**
 * A part of the report, for whatever it is written in.
 *
 * @param title  what it is about
 * @param text   paragraphs or, if there are several, points
 * @param table  names of columns, then rows; empty for none
 * @param curves heap curves to be drawn side by side on the same axes; empty for none
 * @param lines  time over heap, to be drawn into one picture; empty for none
 */
record Section(String title, List<String> text, List<List<String>> table, List<Curve> curves, List<Line> lines) {
    /** What a label ends with where the heap guard is on. */
    static final String GUARDED = ", heap guard";

    /**
     * The heap of one run over time.
     *
     * @param label whose
     */
    record Curve(String label, List<Sample> samples) {}

    static Section of(String title, List<String> text, List<List<String>> table) {
        return new Section(title, text, table, List.of(), List.of());
    }

    /**
     * How long it takes in each heap.
     *
     * @param label  whose
     * @param points from the smallest heap up
     */
    record Line(String label, List<Point> points) {
        /** Whose without the heap guard. */
        String unguarded() {
            return label.endsWith(GUARDED) ? label.substring(0, label.length() - GUARDED.length()) : label;
        }
    }

    /** One of them. */
    record Point(double megabytes, double seconds) {}
}
