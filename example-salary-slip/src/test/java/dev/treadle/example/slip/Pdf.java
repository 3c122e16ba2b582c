package dev.treadle.example.slip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.apache.pdfbox.text.PDFTextStripper;

/** A rendered slip, opened again by a library that had no part in writing it. */
record Pdf(int pages, float widthPoints, float heightPoints, String text) {

    static Pdf read(byte[] bytes) throws IOException {
        try (PDDocument document = Loader.loadPDF(bytes)) {
            var page = document.getPage(0).getMediaBox();
            PDFTextStripper stripper = new PDFTextStripper();
            stripper.setSortByPosition(true);
            return new Pdf(document.getNumberOfPages(), page.getWidth(), page.getHeight(), stripper.getText(document));
        }
    }

    static byte[] bytes(SlipRenderer renderer, SalarySlip slip) throws IOException, InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        renderer.render(slip, out);
        return out.toByteArray();
    }

    /** What the first page looks like, at 72 dots per inch. */
    static int[] pixels(byte[] bytes) throws IOException {
        try (PDDocument document = Loader.loadPDF(bytes)) {
            BufferedImage image = new PDFRenderer(document).renderImage(0);
            return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
        }
    }

    /** Fails unless this is one A4 page with every value of the slip on it. */
    void shows(SalarySlip slip) {
        assertEquals(1, pages, text);
        assertEquals(595, widthPoints, 1);
        assertEquals(842, heightPoints, 1);
        for (Placeholder placeholder : Placeholder.values()) {
            String value = placeholder.valueIn(slip);
            assertTrue(text.contains(value), () -> placeholder + " \"" + value + "\" is not in\n" + text);
        }
    }
}
