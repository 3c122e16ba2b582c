package dev.treadle.showdown;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Heap size and used heap of each contender as VisualVM draws them: areas over time, side by side, a row for each table. */
final class HeapPicture {
    private static final int WIDTH = 400;
    private static final int HEIGHT = 270;
    private static final Color SIZE = new Color(0xF2A33A);
    private static final Color SIZE_AREA = new Color(0xFBDDB0);
    private static final Color USED = new Color(0x2F6FD0);
    private static final Color USED_AREA = new Color(0xA9C8F5);
    private static final Color GRID = new Color(0xDDDDDD);

    private HeapPicture() {}

    /** @param sections those with curves become rows */
    static void write(List<Section> sections, Path file) throws IOException {
        int columns = sections.stream()
                .mapToInt(section -> section.curves().size())
                .max()
                .orElse(0);
        BufferedImage image = new BufferedImage(WIDTH * columns, HEIGHT * sections.size(), BufferedImage.TYPE_INT_RGB);
        Graphics2D canvas = image.createGraphics();
        canvas.setColor(Color.WHITE);
        canvas.fillRect(0, 0, image.getWidth(), image.getHeight());
        for (int row = 0; row < sections.size(); row++) {
            List<Section.Curve> curves = sections.get(row).curves();
            Axes axes = Axes.of(curves);
            for (int column = 0; column < curves.size(); column++) {
                XYChart chart = chart(sections.get(row).title(), curves.get(column), axes);
                canvas.drawImage(BitmapEncoder.getBufferedImage(chart), column * WIDTH, row * HEIGHT, null);
            }
        }
        canvas.dispose();
        ImageIO.write(image, "png", file.toFile());
    }

    private static XYChart chart(String title, Section.Curve curve, Axes axes) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title.split("[ ,]")[0] + " · " + curve.label())
                .xAxisTitle("seconds")
                .yAxisTitle("MB")
                .build();
        chart.getStyler()
                .setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Area)
                .setXAxisMin(0.0)
                .setXAxisMax(axes.seconds())
                .setYAxisMin(0.0)
                .setYAxisMax(axes.megabytes())
                .setPlotGridLinesColor(GRID)
                .setPlotBorderVisible(false)
                .setChartBackgroundColor(Color.WHITE)
                .setLegendPosition(Styler.LegendPosition.OutsideS)
                .setLegendLayout(Styler.LegendLayout.Horizontal)
                .setLegendPadding(2)
                .setLegendBorderColor(Color.WHITE)
                .setChartTitleFont(chart.getStyler().getChartTitleFont().deriveFont(12f));
        draw(chart, "Heap size", curve, Sample::size, SIZE, SIZE_AREA);
        draw(chart, "Used heap", curve, Sample::used, USED, USED_AREA);
        return chart;
    }

    private static void draw(
            XYChart chart, String name, Section.Curve curve, ToLongFunction<Sample> bytes, Color line, Color area) {
        double[] seconds = curve.samples().stream().mapToDouble(Axes::seconds).toArray();
        double[] megabytes = curve.samples().stream()
                .mapToDouble(sample -> Axes.megabytes(bytes.applyAsLong(sample)))
                .toArray();
        chart.addSeries(name, seconds, megabytes)
                .setMarker(SeriesMarkers.NONE)
                .setLineColor(line)
                .setLineWidth(1)
                .setFillColor(area);
    }
}
