package dev.treadle.showdown;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The lines of {@link CurvePicture} as a drawing inside a page; its colours are the page's. */
final class CurveSvg {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 320;
    private static final int LEFT = 48;
    private static final int BOTTOM = 40;
    private static final int TOP = 10;
    private static final int RIGHT = 16;
    /** How many colours the page has for lines. */
    static final int COLOURS = 5;

    private final List<Section.Line> lines;
    private final List<String> executors;
    private final double leftLog;
    private final double widthLog;
    private final double secondsMax;

    CurveSvg(Section section) {
        this.lines = section.lines();
        this.executors = lines.stream().map(Section.Line::unguarded).distinct().toList();
        double least = points().mapToDouble(Section.Point::megabytes).min().orElse(1);
        double most = points().mapToDouble(Section.Point::megabytes).max().orElse(2);
        this.leftLog = Math.log(least);
        this.widthLog = Math.max(Math.log(most) - leftLog, 0.1);
        double seconds = points().mapToDouble(Section.Point::seconds).max().orElse(1);
        double step = Axes.step(seconds);
        this.secondsMax = Math.ceil(seconds / step) * step;
    }

    private Stream<Section.Point> points() {
        return lines.stream().flatMap(line -> line.points().stream());
    }

    String draw(String title) {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
                WIDTH,
                HEIGHT,
                HtmlReport.escaped(title)));
        double step = Axes.step(secondsMax);
        for (double at = 0; at <= secondsMax + step / 1_000; at += step) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" class=\"y\">%,.0f%s</text>",
                    LEFT,
                    y(at),
                    WIDTH - RIGHT,
                    LEFT - 5,
                    y(at) + 3.5,
                    at,
                    at == 0 ? " s" : ""));
        }
        points().mapToDouble(Section.Point::megabytes)
                .distinct()
                .forEach(heap -> svg.append(String.format(
                        Locale.ROOT,
                        "<text x=\"%.1f\" y=\"%d\" class=\"x\">%,.0f</text>",
                        x(heap),
                        HEIGHT - BOTTOM + 16,
                        heap)));
        svg.append(String.format(
                Locale.ROOT, "<text x=\"%d\" y=\"%d\" class=\"x\">-Xmx, MB</text>", WIDTH / 2, HEIGHT - 6));
        lines.forEach(line -> line(svg, line));
        return svg.append("</svg>").toString();
    }

    private void line(StringBuilder svg, Section.Line line) {
        StringBuilder path = new StringBuilder();
        StringBuilder dots = new StringBuilder();
        String colour = "line-" + colour(line);
        for (Section.Point point : line.points()) {
            double x = x(point.megabytes());
            double y = y(point.seconds());
            path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.length() == 0 ? "M" : "L", x, y));
            dots.append(
                    String.format(Locale.ROOT, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", colour, x, y));
        }
        svg.append(String.format("<path class=\"line %s%s\" d=\"%s\"/>", colour, dashed(line), path))
                .append(dots);
    }

    /** Which of the page's colours a line has: the same with the heap guard and without. */
    int colour(Section.Line line) {
        return executors.indexOf(line.unguarded()) % COLOURS;
    }

    static String dashed(Section.Line line) {
        return line.label().equals(line.unguarded()) ? "" : " dashed";
    }

    private double x(double megabytes) {
        return LEFT + (Math.log(megabytes) - leftLog) / widthLog * (WIDTH - LEFT - RIGHT);
    }

    private double y(double seconds) {
        return HEIGHT - BOTTOM - seconds / secondsMax * (HEIGHT - BOTTOM - TOP);
    }
}
