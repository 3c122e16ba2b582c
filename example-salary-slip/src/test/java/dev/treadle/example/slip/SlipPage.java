package dev.treadle.example.slip;

import static dev.treadle.example.slip.WordXml.NAMESPACE;
import static dev.treadle.example.slip.WordXml.cell;
import static dev.treadle.example.slip.WordXml.line;
import static dev.treadle.example.slip.WordXml.linedCell;
import static dev.treadle.example.slip.WordXml.paragraph;
import static dev.treadle.example.slip.WordXml.row;
import static dev.treadle.example.slip.WordXml.style;
import static dev.treadle.example.slip.WordXml.table;
import static dev.treadle.example.slip.WordXml.wideCell;

import java.util.ArrayList;
import java.util.List;

/** The first version of the slip's page in WordprocessingML, from the letterhead down. */
final class SlipPage {

    private static final String TEAL = "1F4E5F";
    private static final String GREY = "6B7780";
    private static final String PALE = "EEF3F5";
    private static final String HAIR = "D5DDE1";

    private static final List<String> NOTES = List.of(
            "All amounts are in euros. Social contributions are calculated on base salary, absence and overtime; "
                    + "income tax on what remains after them. The meal allowance is free of both.",
            "Made by the payroll system and valid without a signature; please keep this slip. Questions? Write to "
                    + "payroll@veldhaven.example and give your employee number.");

    private SlipPage() {}

    /** Tables and paragraphs in their order; the first is the letterhead, whose first cell is left for the logo. */
    static List<String> parts() {
        List<String> parts = new ArrayList<>(List.of(
                letterhead(), space(400),
                title(), space(200),
                facts(), space(400),
                earnings(), space(320),
                deductions(), space(320),
                net(), space(320),
                payment(), space(320)));
        NOTES.forEach(note -> parts.add(paragraph("SlipNote", note)));
        return parts;
    }

    static String footer() {
        return paragraph(
                "SlipFooter",
                "Confidential, for employee ${employee.number} only · Veldhaven Weaving Works, trade register 0000000, "
                        + "exists in this example only");
    }

    static String styles() {
        return "<w:styles " + NAMESPACE + ">"
                + """
                <w:docDefaults>
                  <w:rPrDefault><w:rPr>
                    <w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial" w:eastAsia="Arial"/>
                    <w:sz w:val="20"/><w:szCs w:val="20"/><w:lang w:val="en-GB"/>
                  </w:rPr></w:rPrDefault>
                  <w:pPrDefault><w:pPr><w:spacing w:before="0" w:after="0"/></w:pPr></w:pPrDefault>
                </w:docDefaults>
                <w:style w:type="paragraph" w:default="1" w:styleId="Normal">
                  <w:name w:val="Normal"/><w:qFormat/>
                </w:style>
                <w:style w:type="table" w:default="1" w:styleId="TableNormal">
                  <w:name w:val="Normal Table"/><w:uiPriority w:val="99"/><w:semiHidden/>
                </w:style>
                """
                + style("SlipCompany", "Slip Company", 32, true, TEAL, "left", 20)
                + style("SlipSmall", "Slip Small", 16, false, GREY, "left", 0)
                + style("SlipAddress", "Slip Address", 16, false, GREY, "right", 0)
                + style("SlipTitle", "Slip Title", 36, true, TEAL, "left", 0)
                + style("SlipPeriod", "Slip Period", 28, false, TEAL, "right", 0)
                + style("SlipLabel", "Slip Label", 18, false, GREY, "left", 0)
                + style("SlipText", "Slip Text", 20, false, "1B242A", "left", 0)
                + style("SlipStrong", "Slip Strong", 20, true, "1B242A", "left", 0)
                + style("SlipAmount", "Slip Amount", 20, false, "1B242A", "right", 0)
                + style("SlipTotal", "Slip Total", 20, true, "1B242A", "right", 0)
                + style("SlipHead", "Slip Head", 20, true, TEAL, "left", 0)
                + style("SlipHeadRight", "Slip Head Right", 20, true, TEAL, "right", 0)
                + style("SlipNet", "Slip Net", 26, true, TEAL, "left", 0)
                + style("SlipNetAmount", "Slip Net Amount", 32, true, TEAL, "right", 0)
                + style("SlipNote", "Slip Note", 17, false, "46525A", "left", 100)
                        .replace("<w:jc ", "<w:ind w:left=\"100\" w:right=\"100\"/><w:jc ")
                + style("SlipFooter", "Slip Footer", 16, false, GREY, "center", 0)
                        .replace("w:after=\"0\"/>", "w:after=\"0\" w:line=\"240\" w:lineRule=\"exact\"/>")
                + "</w:styles>";
    }

    private static String letterhead() {
        int[] widths = {1_050, 5_188, 3_400};
        return table(
                widths,
                line("bottom", 12, TEAL),
                row(
                        1_000,
                        cell(widths[0], "", "<w:p/>"),
                        cell(
                                widths[1],
                                "",
                                paragraph("SlipCompany", "Veldhaven Weaving Works")
                                        + paragraph("SlipSmall", "Linen and wool, woven since 1887")),
                        cell(
                                widths[2],
                                "",
                                paragraph("SlipAddress", "Havenkade 12")
                                        + paragraph("SlipAddress", "0000 VH Veldhaven")
                                        + paragraph("SlipAddress", "payroll@veldhaven.example"))));
    }

    private static String title() {
        int[] widths = {4_819, 4_819};
        return table(
                widths,
                "",
                row(
                        480,
                        cell(widths[0], "", paragraph("SlipTitle", "Salary slip")),
                        cell(widths[1], "", paragraph("SlipPeriod", "${period}"))));
    }

    private static String facts() {
        return labelled(
                new String[] {"Employee", "${employee.name}", "Employee number", "${employee.number}"},
                new String[] {"Department", "${employee.department}", "Tax class", "${employee.tax-class}"},
                new String[] {"Role", "${employee.role}", "Standard hours", "${hours.standard}"},
                new String[] {"With us since", "${employee.hired}", "Hours worked", "${hours.worked}"});
    }

    private static String payment() {
        return labelled(
                new String[] {"Paid to", "${employee.name}", "Paid on", "${pay-date}"},
                new String[] {"Account", "${employee.account}", "Reference", "${reference}"});
    }

    private static String labelled(String[]... lines) {
        int[] widths = {1_500, 3_838, 1_800, 2_500};
        String[] rows = new String[lines.length];
        for (int i = 0; i < lines.length; i++) {
            String hair = line("bottom", 4, HAIR);
            rows[i] = row(
                    380,
                    linedCell(widths[0], "", hair, paragraph("SlipLabel", lines[i][0])),
                    linedCell(widths[1], "", hair, paragraph(i == 0 ? "SlipStrong" : "SlipText", lines[i][1])),
                    linedCell(widths[2], "", hair, paragraph("SlipLabel", lines[i][2])),
                    linedCell(widths[3], "", hair, paragraph("SlipText", lines[i][3])));
        }
        return table(widths, "", rows);
    }

    private static String earnings() {
        return amounts(
                new String[] {"Earnings", "Quantity", "Rate", "Amount"},
                new String[] {"Gross pay", "${gross}"},
                new String[] {"Base salary (month)", "${base.months}", "${base.rate}", "${base.amount}"},
                new String[] {"Unpaid absence (hours)", "${absence.hours}", "${absence.rate}", "${absence.amount}"},
                new String[] {"Overtime at 125 % (hours)", "${overtime.hours}", "${overtime.rate}", "${overtime.amount}"
                },
                new String[] {"Meal allowance (days)", "${meal.days}", "${meal.rate}", "${meal.amount}"});
    }

    private static String deductions() {
        return amounts(
                new String[] {"Deductions", "Basis", "Percent", "Amount"},
                new String[] {"Total deductions", "${deductions}"},
                new String[] {"Pension contribution", "${pension.basis}", "${pension.rate}", "${pension.amount}"},
                new String[] {"Health insurance", "${health.basis}", "${health.rate}", "${health.amount}"},
                new String[] {
                    "Unemployment insurance", "${unemployment.basis}", "${unemployment.rate}", "${unemployment.amount}"
                },
                new String[] {"Income tax (average rate)", "${tax.basis}", "${tax.rate}", "${tax.amount}"});
    }

    private static String amounts(String[] head, String[] total, String[]... lines) {
        int[] widths = {4_538, 1_700, 1_700, 1_700};
        String[] rows = new String[lines.length + 2];
        String rule = line("bottom", 12, TEAL);
        rows[0] = row(
                400,
                linedCell(widths[0], "", rule, paragraph("SlipHead", head[0])),
                linedCell(widths[1], "", rule, paragraph("SlipHeadRight", head[1])),
                linedCell(widths[2], "", rule, paragraph("SlipHeadRight", head[2])),
                linedCell(widths[3], "", rule, paragraph("SlipHeadRight", head[3])));
        for (int i = 0; i < lines.length; i++) {
            String hair = line("bottom", 4, HAIR);
            rows[i + 1] = row(
                    380,
                    linedCell(widths[0], "", hair, paragraph("SlipText", lines[i][0])),
                    linedCell(widths[1], "", hair, paragraph("SlipAmount", lines[i][1])),
                    linedCell(widths[2], "", hair, paragraph("SlipAmount", lines[i][2])),
                    linedCell(widths[3], "", hair, paragraph("SlipAmount", lines[i][3])));
        }
        rows[lines.length + 1] = row(
                400,
                wideCell(3, widths[0] + widths[1] + widths[2], PALE, paragraph("SlipStrong", total[0])),
                cell(widths[3], PALE, paragraph("SlipTotal", total[1])));
        return table(widths, "", rows);
    }

    private static String net() {
        int[] widths = {4_819, 4_819};
        String frame = line("top", 12, TEAL) + line("bottom", 12, TEAL);
        return table(
                widths,
                frame,
                row(
                        760,
                        cell(widths[0], PALE, paragraph("SlipNet", "Net pay")),
                        cell(widths[1], PALE, paragraph("SlipNetAmount", "€ ${net}"))));
    }

    /** An empty paragraph between two tables, which Word would otherwise join. */
    private static String space(int height) {
        return "<w:p><w:pPr><w:pStyle w:val=\"Normal\"/><w:spacing w:before=\"0\" w:after=\"0\" w:line=\"" + height
                + "\" w:lineRule=\"exact\"/></w:pPr></w:p>";
    }
}
