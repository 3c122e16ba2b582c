package dev.treadle.example.slip;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.fop.apps.FopConfParser;
import org.apache.fop.apps.FopFactory;
import org.apache.xmlgraphics.io.Resource;
import org.apache.xmlgraphics.io.ResourceResolver;
import org.xml.sax.SAXException;

/**
 * Sets FOP up for slips: two fonts, and nothing but this package's own resources can be read.
 *
 * <p>A factory is made once and used for many slips, one after the other.
 */
final class SlipFop {

    /** The font family of the template; what is drawn instead is Arimo, which is exactly as wide. */
    static final String FONT = "Arial";

    static final String REGULAR_FONT = "slip-regular.ttf";
    static final String BOLD_FONT = "slip-bold.ttf";

    private static final URI BASE = URI.create("slip:/");

    private static final String CONFIGURATION = """
            <fop version="1.0">
              <use-cache>false</use-cache>
              <renderers>
                <renderer mime="application/pdf">
                  <filterList><value>flate</value></filterList>
                  <fonts>
                    <font embed-url="%2$s" kerning="no">
                      <font-triplet name="%1$s" style="normal" weight="normal"/>
                      <font-triplet name="any" style="normal" weight="normal"/>
                    </font>
                    <font embed-url="%3$s" kerning="no">
                      <font-triplet name="%1$s" style="normal" weight="bold"/>
                      <font-triplet name="any" style="normal" weight="bold"/>
                    </font>
                  </fonts>
                </renderer>
              </renderers>
            </fop>
            """.formatted(FONT, REGULAR_FONT, BOLD_FONT);

    private SlipFop() {}

    static FopFactory factory() {
        byte[] configuration = CONFIGURATION.getBytes(StandardCharsets.UTF_8);
        try {
            return new FopConfParser(new ByteArrayInputStream(configuration), BASE, new OwnResources())
                    .getFopFactoryBuilder()
                    .setComplexScriptFeatures(false)
                    .setStrictFOValidation(false)
                    .build();
        } catch (IOException | SAXException e) {
            throw new IllegalStateException("FOP does not take its configuration", e);
        }
    }

    /** Reads files that stand beside this class, whichever way it was loaded; everything else is not found. */
    private static final class OwnResources implements ResourceResolver {

        @Override
        public Resource getResource(URI uri) throws IOException {
            InputStream in = BASE.getScheme().equals(uri.getScheme())
                    ? SlipFop.class.getResourceAsStream(uri.getPath().substring(1))
                    : null;
            if (in == null) {
                throw new FileNotFoundException(uri + " is not a resource of the salary slip");
            }
            return new Resource(in);
        }

        @Override
        public OutputStream getOutputStream(URI uri) throws IOException {
            throw new IOException("nothing is written to " + uri);
        }
    }
}
