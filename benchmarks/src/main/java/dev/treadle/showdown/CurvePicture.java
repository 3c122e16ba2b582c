package dev.treadle.showdown;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** How long all slips take over the heap that they may take: a line for each executor, dashed with the heap guard. */
final class CurvePicture {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 460;
    private static final float LINE_WIDTH = 2;
    private static final float[] DASHES = {6, 4};
    private static final Color GRID = new Color(0xDDDDDD);
    private static final List<Color> COLOURS = List.of(
            new Color(0x2F6FD0), new Color(0xF2A33A), new Color(0x3A9A5B), new Color(0xC0504D), new Color(0x7A5BB0));

    private CurvePicture() {}

    /** @param sections those with lines, one below the other */
    static void write(List<Section> sections, Path file) throws IOException {
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT * sections.size(), BufferedImage.TYPE_INT_RGB);
        Graphics2D canvas = image.createGraphics();
        for (int row = 0; row < sections.size(); row++) {
            canvas.drawImage(BitmapEncoder.getBufferedImage(chart(sections.get(row))), 0, row * HEIGHT, null);
        }
        canvas.dispose();
        ImageIO.write(image, "png", file.toFile());
    }

    private static XYChart chart(Section section) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(section.title())
                .xAxisTitle("-Xmx, MB")
                .yAxisTitle("seconds")
                .build();
        chart.getStyler()
                .setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Line)
                .setXAxisLogarithmic(true)
                .setYAxisMin(0.0)
                .setPlotGridLinesColor(GRID)
                .setPlotBorderVisible(false)
                .setChartBackgroundColor(Color.WHITE)
                .setLegendPosition(Styler.LegendPosition.OutsideS)
                .setLegendLayout(Styler.LegendLayout.Vertical)
                .setLegendBorderColor(Color.WHITE)
                .setChartTitleFont(chart.getStyler().getChartTitleFont().deriveFont(13f));
        List<String> executors =
                section.lines().stream().map(Section.Line::unguarded).distinct().toList();
        for (Section.Line line : section.lines()) {
            double[] megabytes =
                    line.points().stream().mapToDouble(Section.Point::megabytes).toArray();
            double[] seconds =
                    line.points().stream().mapToDouble(Section.Point::seconds).toArray();
            Color colour = COLOURS.get(executors.indexOf(line.unguarded()) % COLOURS.size());
            boolean guarded = !line.label().equals(line.unguarded());
            chart.addSeries(line.label(), megabytes, seconds)
                    .setMarker(guarded ? SeriesMarkers.DIAMOND : SeriesMarkers.CIRCLE)
                    .setMarkerColor(colour)
                    .setLineColor(colour)
                    .setLineStyle(
                            guarded
                                    ? new BasicStroke(
                                            LINE_WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, DASHES, 0)
                                    : new BasicStroke(LINE_WIDTH));
        }
        return chart;
    }
}
