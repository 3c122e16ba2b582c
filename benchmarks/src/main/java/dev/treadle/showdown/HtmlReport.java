package dev.treadle.showdown;

import java.util.List;

/** The report as one page that needs nothing else: light and dark, wide and narrow. */
final class HtmlReport {
    private static final String STYLE = """
            :root { color-scheme: light dark; --page: #f7f7f5; --card: #fff; --text: #1d2330; --soft: #5b6473; --line: #dfe2e7;
              --mark: #eef3fb; --size: #d98a1f; --size-area: #fbe3bf; --used: #2f6fd0; --used-area: #b4d0f7;
              --line-0: #2f6fd0; --line-1: #c77a12; --line-2: #2f8a4f; --line-3: #b8433f; --line-4: #7a5bb0; }
            @media (prefers-color-scheme: dark) { :root { --page: #14171c; --card: #1c2027; --text: #e6e9ee; --soft: #9aa4b2;
              --line: #323843; --mark: #222c3b; --size: #f0ab4b; --size-area: #4f3c1e; --used: #76a9f5; --used-area: #28436d;
              --line-0: #76a9f5; --line-1: #f0ab4b; --line-2: #6cc58a; --line-3: #ec8a86; --line-4: #b79be6; } }
            * { box-sizing: border-box; }
            body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
            main { max-width: 1180px; margin: 0 auto; padding: 24px 16px 48px; }
            h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; }
            h2 { font-size: 18px; margin: 0 0 8px; }
            .soft { color: var(--soft); margin: 0 0 20px; }
            section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px;
              margin: 0 0 16px; }
            p { margin: 0 0 12px; max-width: 90ch; }
            ul { margin: 0; padding-left: 20px; max-width: 100ch; }
            li { margin: 0 0 6px; overflow-wrap: anywhere; }
            .wide { overflow-x: auto; margin: 0 -18px; padding: 0 18px; }
            table { border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; }
            th, td { padding: 6px 10px; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top; }
            th { font-weight: 600; color: var(--soft); }
            td { white-space: nowrap; }
            td.words { white-space: normal; min-width: 280px; text-align: left; }
            th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: var(--card); }
            td.ours, th.ours { background: var(--mark); color: var(--text); }
            .curves { display: grid; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); gap: 12px; margin-top: 14px; }
            figure { margin: 0; }
            figcaption { font-size: 13px; font-weight: 600; margin: 0 0 4px 4px; }
            svg { display: block; width: 100%; height: auto; }
            svg text { font-size: 10.5px; fill: var(--soft); }
            svg .y { text-anchor: end; } svg .x { text-anchor: middle; }
            .grid { stroke: var(--line); fill: none; }
            .size, .used { fill: none; stroke-width: 1.2; stroke-linejoin: round; }
            .size { stroke: var(--size); } .used { stroke: var(--used); }
            .size-area { fill: var(--size-area); } .used-area { fill: var(--used-area); }
            .line { fill: none; stroke-width: 2; } .dashed { stroke-dasharray: 6 4; } circle { stroke: none; }
            .line-0 { stroke: var(--line-0); } .line-1 { stroke: var(--line-1); } .line-2 { stroke: var(--line-2); }
            .line-3 { stroke: var(--line-3); } .line-4 { stroke: var(--line-4); }
            circle.line-0 { fill: var(--line-0); } circle.line-1 { fill: var(--line-1); } circle.line-2 { fill: var(--line-2); }
            circle.line-3 { fill: var(--line-3); } circle.line-4 { fill: var(--line-4); }
            .lines { list-style: none; padding: 0; margin: 8px 0 0; font-size: 13px; color: var(--soft); }
            .lines svg { display: inline-block; width: 34px; height: 10px; margin-right: 8px; }
            .key { font-size: 13px; color: var(--soft); margin: 10px 0 0; }
            .key b { display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin: 0 5px 0 12px; }
            .key b:first-child { margin-left: 0; }
            """;

    private static final String KEY =
            "<p class=\"key\"><b style=\"background:var(--size)\"></b>heap size (held by the JVM)"
                    + "<b style=\"background:var(--used)\"></b>used heap (garbage included), MB; the same axes for all</p>";
    private static final int WORDS_FROM_CHARS = 40;

    private final Findings findings;

    HtmlReport(Findings findings) {
        this.findings = findings;
    }

    String text() {
        StringBuilder page = new StringBuilder();
        page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
                .append(MarkdownReport.TITLE)
                .append("</title>\n<style>\n")
                .append(STYLE)
                .append("</style>\n</head>\n<body>\n<main>\n<h1>")
                .append(MarkdownReport.TITLE)
                .append("</h1>\n<p class=\"soft\">")
                .append(escaped(findings.subtitle()))
                .append("</p>\n");
        findings.sections().forEach(section -> append(page, section));
        return page.append("</main>\n</body>\n</html>\n").toString();
    }

    private static void append(StringBuilder page, Section section) {
        page.append("<section>\n<h2>").append(escaped(section.title())).append("</h2>\n");
        if (section.text().size() > 1) {
            page.append("<ul>\n");
            section.text()
                    .forEach(text -> page.append("<li>").append(escaped(text)).append("</li>\n"));
            page.append("</ul>\n");
        } else {
            section.text()
                    .forEach(text -> page.append("<p>").append(escaped(text)).append("</p>\n"));
        }
        if (!section.table().isEmpty()) {
            table(page, section.table());
        }
        if (!section.lines().isEmpty()) {
            lines(page, section);
        }
        if (!section.curves().isEmpty()) {
            HeapSvg drawing = new HeapSvg(Axes.of(section.curves()));
            page.append("<div class=\"curves\">\n");
            section.curves()
                    .forEach(curve -> page.append("<figure><figcaption>")
                            .append(escaped(curve.label()))
                            .append("</figcaption>")
                            .append(drawing.draw(curve))
                            .append("</figure>\n"));
            page.append("</div>\n").append(KEY).append('\n');
        }
        page.append("</section>\n");
    }

    private static void lines(StringBuilder page, Section section) {
        CurveSvg drawing = new CurveSvg(section);
        page.append("<figure>").append(drawing.draw(section.title())).append("</figure>\n<ul class=\"lines\">\n");
        section.lines()
                .forEach(line -> page.append(
                                "<li><svg viewBox=\"0 0 34 10\" aria-hidden=\"true\"><path class=\"line line-")
                        .append(drawing.colour(line))
                        .append(CurveSvg.dashed(line))
                        .append("\" d=\"M0 5H34\"/></svg>")
                        .append(escaped(line.label()))
                        .append("</li>\n"));
        page.append("</ul>\n");
    }

    private static void table(StringBuilder page, List<List<String>> rows) {
        boolean isPublished = rows.get(0).get(1).contains(PublishedTable.PUBLISHED);
        page.append("<div class=\"wide\" tabindex=\"0\"><table>\n");
        for (List<String> row : rows) {
            String tag = row == rows.get(0) ? "th" : "td";
            page.append("<tr>");
            for (int column = 0; column < row.size(); column++) {
                String text = row.get(column);
                String style = tag.equals("td") && text.length() > WORDS_FROM_CHARS
                        ? " class=\"words\""
                        : isPublished && column > PublishedTable.PUBLISHED_COLUMNS ? " class=\"ours\"" : "";
                page.append('<').append(tag).append(style).append('>').append(escaped(text));
                page.append("</").append(tag).append('>');
            }
            page.append("</tr>\n");
        }
        page.append("</table></div>\n");
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
