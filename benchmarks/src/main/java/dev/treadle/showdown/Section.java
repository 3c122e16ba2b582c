package dev.treadle.showdown;

import java.util.List;

/**
 * A part of the report, for whatever it is written in.
 *
 * @param title  what it is about
 * @param text   paragraphs or, if there are several, points
 * @param table  names of columns, then rows; empty for none
 * @param curves heap curves to be drawn side by side on the same axes; empty for none
 */
record Section(String title, List<String> text, List<List<String>> table, List<Curve> curves) {

    /**
     * The heap of one run over time.
     *
     * @param label whose
     */
    record Curve(String label, List<Sample> samples) {}

    static Section of(String title, List<String> text, List<List<String>> table) {
        return new Section(title, text, table, List.of());
    }
}
