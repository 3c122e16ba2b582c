package dev.treadle.example.slip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.bind.JAXBElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.docx4j.TraversalUtil;
import org.docx4j.openpackaging.packages.WordprocessingMLPackage;
import org.docx4j.openpackaging.parts.JaxbXmlPart;
import org.docx4j.openpackaging.parts.WordprocessingML.FooterPart;
import org.docx4j.openpackaging.parts.WordprocessingML.HeaderPart;
import org.docx4j.openpackaging.parts.WordprocessingML.MainDocumentPart;
import org.docx4j.wml.P;
import org.docx4j.wml.R;
import org.docx4j.wml.Text;
import org.junit.jupiter.api.Test;

/** The Word template, after whoever edited it last. */
class SlipTemplateTest {

    private static final Pattern GAP = Pattern.compile("\\$\\{([^}]*)}");

    private final WordprocessingMLPackage word = WordTemplate.load();

    @Test
    void each_placeholder_sits_in_one_run() throws Exception {
        for (P paragraph : paragraphs()) {
            String whole = String.join("", runs(paragraph));
            List<String> inWhole = gaps(whole);
            List<String> inRuns =
                    runs(paragraph).stream().flatMap(run -> gaps(run).stream()).toList();
            assertEquals(
                    inWhole,
                    inRuns,
                    () -> "Word has cut a placeholder in \"" + whole
                            + "\": delete it there, and type it again in one go");
        }
    }

    @Test
    void the_template_has_every_known_placeholder_and_no_other() throws Exception {
        Set<String> found = new TreeSet<>();
        for (P paragraph : paragraphs()) {
            found.addAll(gaps(String.join("", runs(paragraph))));
        }

        Set<String> known = Arrays.stream(Placeholder.values())
                .map(Placeholder::key)
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(known, found);
    }

    @Test
    void the_build_has_converted_the_template_as_it_is_now() {
        String fo = WordTemplate.toFo(word);

        assertEquals(
                new SavedFo(fo).foFor(SampleSlips.march(1)), SavedFo.fromBuild().foFor(SampleSlips.march(1)));
        assertFalse(fo.contains("file:"), "a picture of the template is named by a path");
        assertTrue(fo.contains("font-family=\"" + SlipFop.FONT + "\""), fo);
    }

    @Test
    void the_template_uses_no_font_but_the_one_that_is_embedded() {
        var families = Pattern.compile("font-family=\"([^\"]*)\"")
                .matcher(WordTemplate.toFo(word))
                .results()
                .map(family -> family.group(1))
                .collect(Collectors.toSet());

        assertEquals(Set.of(SlipFop.FONT), families);
    }

    @Test
    void an_unknown_placeholder_is_named() {
        var refused = assertThrows(IllegalArgumentException.class, () -> new SavedFo("<a>${employee.shoe-size}</a>"));

        assertEquals("unknown placeholder ${employee.shoe-size}", refused.getMessage());
    }

    private List<P> paragraphs() throws Exception {
        List<P> paragraphs = new ArrayList<>();
        for (var part : word.getParts().getParts().values()) {
            if (part instanceof MainDocumentPart || part instanceof HeaderPart || part instanceof FooterPart) {
                for (Object found : allOf(P.class, ((JaxbXmlPart<?>) part).getContents())) {
                    paragraphs.add((P) found);
                }
            }
        }
        return paragraphs;
    }

    private static List<String> runs(P paragraph) {
        return allOf(R.class, paragraph).stream()
                .map(run -> allOf(Text.class, run).stream()
                        .map(text -> ((Text) text).getValue())
                        .collect(Collectors.joining()))
                .toList();
    }

    private static List<Object> allOf(Class<?> type, Object parent) {
        List<Object> found = new ArrayList<>();
        new TraversalUtil(parent, new TraversalUtil.CallbackImpl() {
            @Override
            public List<Object> apply(Object node) {
                Object value = node instanceof JAXBElement<?> element ? element.getValue() : node;
                if (type.isInstance(value)) {
                    found.add(value);
                }
                return List.of();
            }
        });
        return found;
    }

    private static List<String> gaps(String text) {
        return GAP.matcher(text).results().map(gap -> gap.group(1)).toList();
    }
}
