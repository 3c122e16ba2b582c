package dev.treadle.showdown;

import java.util.ArrayList;
import java.util.List;

/** The report as Markdown. */
final class MarkdownReport {
    static final String TITLE = "The showdown: salary slips on each executor";

    private final Findings findings;
    private final String picture;
    private final String curvePicture;

    /**
     * @param picture      the file name of the heap over time; empty for none
     * @param curvePicture the file name of the time over heap; empty for none
     */
    MarkdownReport(Findings findings, String picture, String curvePicture) {
        this.findings = findings;
        this.picture = picture;
        this.curvePicture = curvePicture;
    }

    String text() {
        List<String> lines = new ArrayList<>(List.of("# " + TITLE, "", findings.subtitle(), ""));
        boolean pictured = picture.isEmpty();
        boolean curved = curvePicture.isEmpty();
        for (Section section : findings.sections()) {
            lines.add("## " + section.title());
            lines.add("");
            section.text().forEach(text -> lines.add(section.text().size() > 1 ? "- " + text : text));
            lines.add("");
            if (!section.table().isEmpty()) {
                lines.addAll(table(section.table()));
                lines.add("");
            }
            if (!curved && !section.lines().isEmpty()) {
                curved = true;
                lines.add("![How long all slips take over the heap that they may take](" + curvePicture + ")");
                lines.add("");
            }
            if (!pictured && !section.curves().isEmpty()) {
                pictured = true;
                lines.add("![Heap size and used heap of each contender, on the same axes](" + picture + ")");
                lines.add("");
            }
        }
        return String.join("\n", lines);
    }

    private static List<String> table(List<List<String>> rows) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            lines.add("| " + String.join(" | ", row).replace("\n", " ") + " |");
            if (lines.size() == 1) {
                lines.add("|---|" + "---:|".repeat(row.size() - 1));
            }
        }
        return lines;
    }
}
