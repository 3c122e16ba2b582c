package dev.treadle.example.slip;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.apache.fop.apps.FOUserAgent;
import org.apache.fop.apps.FopFactory;
import org.apache.xmlgraphics.util.MimeConstants;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Turns salary slips into PDF, a few at a time.
 *
 * <p>Rendering is processor and heap, not waiting: a thousand threads may ask at once, but no more than
 * {@code rendersAtOnceMax} of them render, and the others wait in the order they came. Safe for many threads.
 *
 * <p>A turn to render is a FOP factory, and no other render has it at the same time: two renders on one factory read its
 * configuration, a DOM tree, at the same time, which now and then fails.
 */
final class SlipRenderer {
    /** The highest bound that makes sense: more renders than processor cores only cost heap. */
    static final int RENDERS_AT_ONCE_LIMIT = 256;

    private final FoSource source;
    private final BlockingQueue<FopFactory> turns;

    /** Renders the template that the build converted, one slip per processor core at a time. */
    SlipRenderer() {
        this(Renderer.FOP);
    }

    /** Renders one slip per processor core at a time, in the one way or the other. */
    SlipRenderer(Renderer renderer) {
        this(renderer.source(), Math.min(Runtime.getRuntime().availableProcessors(), RENDERS_AT_ONCE_LIMIT));
    }

    /**
     * Renders what the source describes.
     *
     * @param rendersAtOnceMax how many slips may be rendered at the same time, 1 to {@value #RENDERS_AT_ONCE_LIMIT}
     */
    SlipRenderer(FoSource source, int rendersAtOnceMax) {
        if (rendersAtOnceMax < 1 || rendersAtOnceMax > RENDERS_AT_ONCE_LIMIT) {
            throw new IllegalArgumentException(
                    "rendersAtOnceMax must be 1.." + RENDERS_AT_ONCE_LIMIT + ", was " + rendersAtOnceMax);
        }
        this.source = source;
        this.turns = new ArrayBlockingQueue<>(rendersAtOnceMax, true);
        for (int i = 0; i < rendersAtOnceMax; i++) {
            turns.add(SlipFop.factory());
        }
    }

    /**
     * Writes the slip as PDF; the stream is flushed and stays open.
     *
     * @throws IOException when the stream fails
     * @throws InterruptedException when interrupted while waiting for a turn; nothing has been written then
     * @throws IllegalStateException when the page cannot be made
     */
    void render(SalarySlip slip, OutputStream out) throws IOException, InterruptedException {
        FopFactory fops = turns.take();
        try {
            write(slip, fops, out);
            out.flush();
        } catch (SAXException | ParserConfigurationException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof IOException failedStream) {
                    throw failedStream;
                }
            }
            throw new IllegalStateException("slip " + slip.reference() + " cannot be rendered", e);
        } finally {
            turns.add(fops);
        }
    }

    private void write(SalarySlip slip, FopFactory fops, OutputStream out)
            throws IOException, SAXException, ParserConfigurationException {
        FOUserAgent agent = fops.newFOUserAgent();
        agent.setTitle("Salary slip " + Printed.month(slip.period()) + ", "
                + slip.employee().name());
        agent.setAuthor(Company.NAME);
        agent.setCreationDate(
                Date.from(slip.payDate().atStartOfDay(ZoneOffset.UTC).toInstant()));
        agent.getEventBroadcaster().addEventListener(new PageDefects(slip.reference()));

        SAXParserFactory parsers = SAXParserFactory.newDefaultInstance();
        parsers.setNamespaceAware(true);
        DefaultHandler pages = fops.newFop(MimeConstants.MIME_PDF, agent, out).getDefaultHandler();
        parsers.newSAXParser().parse(new InputSource(new StringReader(source.foFor(slip))), pages);
    }
}
