package dev.treadle.example.slip;

import java.math.BigInteger;
import java.nio.file.Path;
import org.docx4j.XmlUtils;
import org.docx4j.dml.wordprocessingDrawing.Inline;
import org.docx4j.jaxb.Context;
import org.docx4j.model.structure.PageSizePaper;
import org.docx4j.openpackaging.packages.WordprocessingMLPackage;
import org.docx4j.openpackaging.parts.WordprocessingML.BinaryPartAbstractImage;
import org.docx4j.openpackaging.parts.WordprocessingML.FooterPart;
import org.docx4j.relationships.Relationship;
import org.docx4j.wml.Body;
import org.docx4j.wml.Ftr;
import org.docx4j.wml.HdrFtrRef;
import org.docx4j.wml.P;
import org.docx4j.wml.Styles;
import org.docx4j.wml.Tbl;
import org.docx4j.wml.Tc;
import org.docx4j.wml.Tr;

/**
 * Wrote the first version of the Word template, and writes it again on request.
 *
 * <p>The document is the source, not this class: whoever edits it in Word keeps the edit, and never runs this again.
 */
final class SlipTemplateWriter {

    private static final int LOGO_EMU = 14 * 36_000;

    private SlipTemplateWriter() {}

    /** Takes the path of the document to write. */
    public static void main(String[] args) throws Exception {
        WordprocessingMLPackage word = WordprocessingMLPackage.createPackage(PageSizePaper.A4, false);
        Styles styles = (Styles) XmlUtils.unmarshalString(SlipPage.styles());
        word.getMainDocumentPart().getStyleDefinitionsPart().setContents(styles);
        Body body = word.getMainDocumentPart().getJaxbElement().getBody();
        var margins = body.getSectPr().getPgMar();
        margins.setTop(BigInteger.valueOf(850));
        margins.setBottom(BigInteger.valueOf(850));
        margins.setLeft(BigInteger.valueOf(1_134));
        margins.setRight(BigInteger.valueOf(1_134));
        margins.setFooter(BigInteger.valueOf(567));

        for (String part : SlipPage.parts()) {
            add(body, part);
        }
        logo(word, body);
        footer(word, body);
        word.save(Path.of(args[0]).toFile());
    }

    private static void add(Body body, String xml) throws Exception {
        body.getContent()
                .add(XmlUtils.unwrap(XmlUtils.unmarshalString(xml.replaceFirst(">", " " + WordXml.NAMESPACE + ">"))));
    }

    private static void logo(WordprocessingMLPackage word, Body body) throws Exception {
        var image = BinaryPartAbstractImage.createImagePart(word, Logo.png());
        Inline inline = image.createImageInline(
                "logo.png", "A woven square, the sign of the company", 1, 2, LOGO_EMU, LOGO_EMU, false);
        var factory = Context.getWmlObjectFactory();
        var drawing = factory.createDrawing();
        drawing.getAnchorOrInline().add(inline);
        var run = factory.createR();
        run.getContent().add(drawing);
        Tbl table = (Tbl) body.getContent().get(0);
        var row = (Tr) table.getContent().get(0);
        var cell = (Tc) XmlUtils.unwrap(row.getContent().get(0));
        ((P) cell.getContent().get(0)).getContent().add(run);
    }

    private static void footer(WordprocessingMLPackage word, Body body) throws Exception {
        FooterPart part = new FooterPart();
        Relationship relationship = word.getMainDocumentPart().addTargetPart(part);
        part.setJaxbElement(
                (Ftr) XmlUtils.unmarshalString("<w:ftr " + WordXml.NAMESPACE + ">" + SlipPage.footer() + "</w:ftr>"));
        var reference = Context.getWmlObjectFactory().createFooterReference();
        reference.setId(relationship.getId());
        reference.setType(HdrFtrRef.DEFAULT);
        body.getSectPr().getEGHdrFtrReferences().add(reference);
    }
}
