package dev.treadle.example.slip;

import java.util.Arrays;

/** Writes the few WordprocessingML elements that the slip is made of. Widths are in twentieths of a point. */
final class WordXml {

    static final String NAMESPACE = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"";

    private WordXml() {}

    /** A paragraph style: size in half points, colour as RRGGBB, spacing in twentieths of a point. */
    static String style(String id, String name, int halfPoints, boolean bold, String colour, String align, int after) {
        return """
                <w:style w:type="paragraph" w:customStyle="1" w:styleId="%s">
                  <w:name w:val="%s"/><w:basedOn w:val="Normal"/><w:qFormat/>
                  <w:pPr><w:spacing w:before="0" w:after="%d"/><w:jc w:val="%s"/></w:pPr>
                  <w:rPr>%s<w:color w:val="%s"/><w:sz w:val="%d"/><w:szCs w:val="%d"/></w:rPr>
                </w:style>
                """.formatted(id, name, after, align, bold ? "<w:b/>" : "", colour, halfPoints, halfPoints);
    }

    /** A paragraph whose text is one run. */
    static String paragraph(String style, String text) {
        return "<w:p><w:pPr><w:pStyle w:val=\"" + style + "\"/></w:pPr>" + run(text) + "</w:p>";
    }

    static String run(String text) {
        return "<w:r><w:t xml:space=\"preserve\">" + XmlText.escaped(text) + "</w:t></w:r>";
    }

    /** A cell with an optional fill (RRGGBB or empty); the content is paragraphs. */
    static String cell(int width, String fill, String content) {
        String shading = fill.isEmpty() ? "" : "<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"" + fill + "\"/>";
        return "<w:tc><w:tcPr><w:tcW w:w=\"" + width + "\" w:type=\"dxa\"/>" + shading
                + "<w:vAlign w:val=\"center\"/></w:tcPr>" + content + "</w:tc>";
    }

    /** A cell like {@link #cell(int, String, String)} with its own lines above or below. */
    static String linedCell(int width, String fill, String lines, String content) {
        return cell(width, fill, content)
                .replace("type=\"dxa\"/>", "type=\"dxa\"/><w:tcBorders>" + lines + "</w:tcBorders>");
    }

    /** A line on one side of a cell or table, in eighths of a point. */
    static String line(String side, int eighths, String colour) {
        return "<w:" + side + " w:val=\"single\" w:sz=\"" + eighths + "\" w:space=\"0\" w:color=\"" + colour + "\"/>";
    }

    /** A cell like {@link #cell(int, String, String)} that reaches over several columns. */
    static String wideCell(int columns, int width, String fill, String content) {
        return cell(width, fill, content)
                .replace("type=\"dxa\"/>", "type=\"dxa\"/><w:gridSpan w:val=\"" + columns + "\"/>");
    }

    /** A row at least this high. */
    static String row(int height, String... cells) {
        return "<w:tr><w:trPr><w:trHeight w:val=\"" + height + "\" w:hRule=\"atLeast\"/></w:trPr>"
                + String.join("", cells) + "</w:tr>";
    }

    /** A table of fixed column widths; lines is what stands in its borders element. */
    static String table(int[] widths, String lines, String... rows) {
        StringBuilder xml = new StringBuilder(
                "<w:tbl><w:tblPr><w:tblW w:w=\"" + Arrays.stream(widths).sum()
                        + "\" w:type=\"dxa\"/><w:tblInd w:w=\"0\" w:type=\"dxa\"/><w:tblBorders>" + lines
                        + "</w:tblBorders><w:tblLayout w:type=\"fixed\"/><w:tblCellMar>"
                        + "<w:left w:w=\"100\" w:type=\"dxa\"/><w:right w:w=\"100\" w:type=\"dxa\"/>"
                        + "</w:tblCellMar></w:tblPr><w:tblGrid>");
        for (int width : widths) {
            xml.append("<w:gridCol w:w=\"").append(width).append("\"/>");
        }
        return xml.append("</w:tblGrid>")
                .append(String.join("", rows))
                .append("</w:tbl>")
                .toString();
    }
}
