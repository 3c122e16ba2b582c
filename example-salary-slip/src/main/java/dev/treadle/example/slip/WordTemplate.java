package dev.treadle.example.slip;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.docx4j.Docx4J;
import org.docx4j.convert.out.FOSettings;
import org.docx4j.fonts.IdentityPlusMapper;
import org.docx4j.fonts.PhysicalFonts;
import org.docx4j.openpackaging.exceptions.Docx4JException;
import org.docx4j.openpackaging.packages.WordprocessingMLPackage;
import org.docx4j.openpackaging.parts.JaxbXmlPart;
import org.docx4j.openpackaging.parts.Part;
import org.docx4j.openpackaging.parts.WordprocessingML.BinaryPart;
import org.docx4j.openpackaging.parts.WordprocessingML.BinaryPartAbstractImage;
import org.docx4j.openpackaging.parts.WordprocessingML.FooterPart;
import org.docx4j.openpackaging.parts.WordprocessingML.HeaderPart;
import org.docx4j.openpackaging.parts.WordprocessingML.MainDocumentPart;

/**
 * The slip as a person edits it in Word, and its conversion to XSL-FO.
 *
 * <p>Needs docx4j: when the example is built, and when it runs with {@link Renderer#DOCX4J}.
 */
final class WordTemplate {

    static final String RESOURCE = "salary-slip.docx";

    /** The machine's own fonts stay out, so that every machine converts alike. */
    private static final String NO_INSTALLED_FONTS = "no installed fonts";

    /** docx4j names the font only where there is text; without this FOP looks for three more around it. */
    private static final String ROOT = "<fo:root ";

    private static final String ROOT_FONT = "font-family=\"" + SlipFop.FONT + "\" ";
    private static final String PICTURE_PREFIX = "salary-slip-";

    private WordTemplate() {}

    static WordprocessingMLPackage load() {
        try (InputStream in = WordTemplate.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing");
            }
            return WordprocessingMLPackage.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE, e);
        } catch (Docx4JException e) {
            throw new IllegalStateException(RESOURCE + " is not a Word document", e);
        }
    }

    /**
     * The document as XSL-FO; what stands between <code>${</code> and <code>}</code> stays as it is, and a picture is
     * named by its {@linkplain #pictures file name}.
     */
    static String toFo(WordprocessingMLPackage word) {
        try {
            PhysicalFonts.setRegex(NO_INSTALLED_FONTS);
            word.setFontMapper(new IdentityPlusMapper());
            FOSettings settings = Docx4J.createFOSettings();
            settings.setOpcPackage(word);
            settings.setImageHandler((picture, relationship, part) -> fileName(part));
            settings.setApacheFopMime(FOSettings.INTERNAL_FO_MIME);
            ByteArrayOutputStream fo = new ByteArrayOutputStream();
            Docx4J.toFO(settings, fo, Docx4J.FLAG_EXPORT_PREFER_XSL);
            return fo.toString(StandardCharsets.UTF_8).replaceFirst(ROOT, ROOT + ROOT_FONT);
        } catch (Exception e) {
            throw new IllegalStateException(RESOURCE + " cannot be converted", e);
        }
    }

    /** The pictures in the document by file name. */
    static Map<String, byte[]> pictures(WordprocessingMLPackage word) {
        Map<String, byte[]> pictures = new TreeMap<>();
        word.getParts().getParts().values().forEach(part -> {
            if (part instanceof BinaryPartAbstractImage picture) {
                pictures.put(fileName(picture), picture.getBytes());
            }
        });
        return pictures;
    }

    private static String fileName(BinaryPart part) {
        return PICTURE_PREFIX + part.getPartName().getName().replaceAll(".*/", "");
    }

    /** Replaces every placeholder in the body, headers and footers; the values are escaped for XML. */
    static void fill(WordprocessingMLPackage word, Map<String, String> values) {
        try {
            for (Part part : word.getParts().getParts().values()) {
                if (part instanceof MainDocumentPart || part instanceof HeaderPart || part instanceof FooterPart) {
                    ((JaxbXmlPart<?>) part).variableReplace(values);
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(RESOURCE + " cannot be filled", e);
        }
    }
}
