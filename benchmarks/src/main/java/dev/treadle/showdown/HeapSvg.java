package dev.treadle.showdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** One run's heap size and used heap as a drawing inside a page; its colours are the page's. */
final class HeapSvg {
    private static final int WIDTH = 360;
    private static final int HEIGHT = 210;
    private static final int LEFT = 44;
    private static final int BOTTOM = 24;
    private static final int TOP = 8;
    private static final int RIGHT = 8;
    /** More points than this cannot be told apart at that width. */
    private static final int POINTS_MAX = 240;

    private final Axes axes;

    HeapSvg(Axes axes) {
        this.axes = axes;
    }

    String draw(Section.Curve curve) {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Heap over time: %s\">",
                WIDTH,
                HEIGHT,
                HtmlReport.escaped(curve.label())));
        grid(svg);
        area(svg, "size", curve.samples(), Sample::size);
        area(svg, "used", curve.samples(), Sample::used);
        return svg.append("</svg>").toString();
    }

    private void grid(StringBuilder svg) {
        double step = Axes.step(axes.megabytes());
        for (double at = 0; at <= axes.megabytes() + step / 1_000; at += step) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" class=\"y\">%,.0f</text>",
                    LEFT,
                    y(at),
                    WIDTH - RIGHT,
                    LEFT - 5,
                    y(at) + 3.5,
                    at));
        }
        double every = Axes.step(axes.seconds());
        for (double at = 0; at <= axes.seconds() + every / 1_000; at += every) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\" class=\"x\">%,.0f%s</text>",
                    x(at),
                    HEIGHT - 8,
                    at,
                    at == 0 ? " s" : ""));
        }
    }

    private void area(StringBuilder svg, String name, List<Sample> all, ToLongFunction<Sample> bytes) {
        List<Sample> samples = thinned(all, bytes);
        if (samples.isEmpty()) {
            return;
        }
        StringBuilder line = new StringBuilder();
        for (Sample sample : samples) {
            line.append(String.format(
                    Locale.ROOT,
                    "%s%.1f %.1f",
                    line.length() == 0 ? "M" : "L",
                    x(Axes.seconds(sample)),
                    y(Axes.megabytes(bytes.applyAsLong(sample)))));
        }
        double first = x(Axes.seconds(samples.get(0)));
        double last = x(Axes.seconds(samples.get(samples.size() - 1)));
        svg.append(String.format(
                Locale.ROOT,
                "<path class=\"%s-area\" d=\"%sL%.1f %.1fL%.1f %.1fZ\"/><path class=\"%s\" d=\"%s\"/>",
                name,
                line,
                last,
                y(0),
                first,
                y(0),
                name,
                line));
    }

    /** The highest of each so many samples, so that no peak is lost. */
    private static List<Sample> thinned(List<Sample> all, ToLongFunction<Sample> bytes) {
        int of = (all.size() + POINTS_MAX - 1) / POINTS_MAX;
        List<Sample> thinned = new ArrayList<>();
        for (int from = 0; from < all.size(); from += of) {
            List<Sample> some = all.subList(from, Math.min(all.size(), from + of));
            thinned.add(some.stream()
                    .reduce((a, b) -> bytes.applyAsLong(b) > bytes.applyAsLong(a) ? b : a)
                    .orElseThrow());
        }
        return thinned;
    }

    private double x(double seconds) {
        return LEFT + seconds / axes.seconds() * (WIDTH - LEFT - RIGHT);
    }

    private double y(double megabytes) {
        return HEIGHT - BOTTOM - megabytes / axes.megabytes() * (HEIGHT - BOTTOM - TOP);
    }
}
