package dev.treadle.showdown;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes what was seen, for people: as Markdown, as a page, and as a picture. */
final class Report {
    private static final String PICTURE = "heap.png";

    private final RawFolder raw;

    Report(RawFolder raw) {
        this.raw = raw;
    }

    /** The files, in the order in which to read them. */
    List<Path> write(Path folder) throws IOException {
        List<Path> written = new ArrayList<>();
        Findings findings = new Findings(raw);
        List<Section> withCurves = findings.sections().stream()
                .filter(section -> !section.curves().isEmpty())
                .toList();
        boolean pictured = !withCurves.isEmpty() && picture(withCurves, folder.resolve(PICTURE));
        written.add(Files.writeString(
                folder.resolve("report.md"), new MarkdownReport(findings, pictured ? PICTURE : "").text()));
        written.add(Files.writeString(folder.resolve("report.html"), new HtmlReport(findings).text()));
        if (pictured) {
            written.add(folder.resolve(PICTURE));
        }
        return written;
    }

    /** Whether there is one: a machine without fonts cannot draw it, and the page has its own drawings anyway. */
    private static boolean picture(List<Section> sections, Path file) throws IOException {
        try {
            HeapPicture.write(sections, file);
            return true;
        } catch (LinkageError | RuntimeException e) {
            System.err.println(
                    "No " + PICTURE + ": " + e + ". The page has its own drawings. If it is for want of fonts, these"
                            + " help on Debian: fontconfig, fonts-dejavu-core.");
            return false;
        }
    }
}
