package dev.treadle.showdown;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes what was seen, for people: as Markdown, as a page, and as a picture. */
final class Report {
    private static final String PICTURE = "heap.png";
    private static final String CURVE_PICTURE = "heap-curve.png";

    private final RawFolder raw;

    Report(RawFolder raw) {
        this.raw = raw;
    }

    /** The files, in the order in which to read them. */
    List<Path> write(Path folder) throws IOException {
        Findings findings = new Findings(raw);
        List<Section> sections = findings.sections();
        List<Section> withCurves =
                sections.stream().filter(section -> !section.curves().isEmpty()).toList();
        List<Section> withLines =
                sections.stream().filter(section -> !section.lines().isEmpty()).toList();
        boolean pictured = picture(withCurves, folder.resolve(PICTURE), HeapPicture::write);
        boolean curved = picture(withLines, folder.resolve(CURVE_PICTURE), CurvePicture::write);
        List<Path> written = new ArrayList<>();
        written.add(Files.writeString(
                folder.resolve("report.md"),
                new MarkdownReport(findings, pictured ? PICTURE : "", curved ? CURVE_PICTURE : "").text()));
        written.add(Files.writeString(folder.resolve("report.html"), new HtmlReport(findings).text()));
        if (pictured) {
            written.add(folder.resolve(PICTURE));
        }
        if (curved) {
            written.add(folder.resolve(CURVE_PICTURE));
        }
        return written;
    }

    private interface Drawing {
        void write(List<Section> sections, Path file) throws IOException;
    }

    /** Whether there is one: a machine without fonts cannot draw it, and the page has its own drawings anyway. */
    private static boolean picture(List<Section> sections, Path file, Drawing drawing) throws IOException {
        if (sections.isEmpty()) {
            return false;
        }
        try {
            drawing.write(sections, file);
            return true;
        } catch (LinkageError | RuntimeException e) {
            System.err.println("No " + file.getFileName() + ": " + e
                    + ". The page has its own drawings. If it is for want of fonts, these"
                    + " help on Debian: fontconfig, fonts-dejavu-core.");
            return false;
        }
    }
}
