package dev.treadle.example.slip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Timeout(600)
class SlipRendererTest {

    private final SlipRenderer renderer = new SlipRenderer();
    private final Logger defectLog = (Logger) LoggerFactory.getLogger(PageDefects.class);
    private final ListAppender<ILoggingEvent> defects = new ListAppender<>();

    @BeforeEach
    void hear_defects() {
        defects.start();
        defectLog.setAdditive(false);
        defectLog.addAppender(defects);
    }

    @AfterEach
    void no_page_had_a_defect_that_the_test_did_not_expect() {
        defectLog.detachAppender(defects);
        defectLog.setAdditive(true);
        assertEquals(List.of(), defects.list);
    }

    @ParameterizedTest
    @EnumSource
    void a_slip_is_one_a4_page_with_all_its_values(Renderer way) throws Exception {
        SalarySlip slip = SampleSlips.march(8);

        Pdf.read(Pdf.bytes(new SlipRenderer(way), slip)).shows(slip);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Łukasz Žółć-Ğündüz",
                "Zoë Ångström Ñuño Øre",
                "Ștefan Þórsson ß",
                "Nguyễn Thị Hạnh",
                "Smith & Sons <script>alert('x')</script>",
                "${net} \"quoted\" ]]> &amp; \\1 $0"
            })
    void a_name_is_printed_as_it_is_written(String name) throws Exception {
        SalarySlip slip = SampleSlips.named(name);

        Pdf pdf = Pdf.read(Pdf.bytes(renderer, slip));

        assertEquals(1, pdf.pages());
        assertTrue(flat(pdf.text()).contains(flat(name)), pdf.text());
    }

    @Test
    void a_long_name_takes_more_lines_and_the_slip_still_one_page() throws Exception {
        SalarySlip slip =
                SampleSlips.named("Maria-Magdalena Antoinette von und zu Hohenstaufen-Wittelsbach der Ältere");

        Pdf pdf = Pdf.read(Pdf.bytes(renderer, slip));

        assertEquals(1, pdf.pages());
        for (String word : slip.employee().name().split(" ")) {
            assertTrue(pdf.text().contains(word), word);
        }
    }

    @Test
    void characters_that_xml_cannot_hold_become_spaces() throws Exception {
        Pdf pdf = Pdf.read(Pdf.bytes(renderer, SampleSlips.named("Bell\u0007Tower\uD800X")));

        assertTrue(pdf.text().contains("Bell Tower X"), pdf.text());
    }

    @Test
    void a_letter_that_the_font_lacks_is_logged_with_the_slip() throws Exception {
        Pdf.bytes(renderer, SampleSlips.named("Ада"));

        assertTrue(defects.list.get(0).getFormattedMessage().startsWith("Slip VW-00007-2026-03: Glyph"));
        defects.list.clear();
    }

    @Test
    void a_source_that_is_no_xsl_fo_fails_with_the_slip_in_the_message() {
        SlipRenderer broken = new SlipRenderer(slip -> "<html/>", 1);

        var failed = assertThrows(IllegalStateException.class, () -> Pdf.bytes(broken, SampleSlips.march(1)));
        assertTrue(failed.getMessage().contains("VW-00001-2026-03"), failed::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "O’Brien & Łaski <sons>",
                "Nguyễn Thị Hạnh",
                "${net} \"quoted\" ]]> &amp; \\1 $0",
                "Bell\u0007Tower\uD800X"
            })
    void converting_the_word_document_each_time_looks_the_same_to_the_pixel(String name) throws Exception {
        SalarySlip slip = SampleSlips.named(name);
        byte[] fast = Pdf.bytes(renderer, slip);
        byte[] slow = Pdf.bytes(new SlipRenderer(Renderer.DOCX4J), slip);

        assertEquals(Pdf.read(fast).text(), Pdf.read(slow).text());
        assertArrayEquals(Pdf.pixels(fast), Pdf.pixels(slow));
        assertFalse(Arrays.equals(Pdf.pixels(fast), Pdf.pixels(Pdf.bytes(renderer, SampleSlips.march(2)))));
    }

    private static String flat(String text) {
        return text.replaceAll("\\s+", "");
    }
}
