package dev.treadle.example.slip;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TTFSubsetter;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;

/**
 * Cuts a font down to the letters of Europe's Latin alphabets.
 *
 * <p>FOP reads every font again for every document, so a font's size is paid per slip: with the two whole fonts a slip
 * allocates 14 MB, with their subsets 8 MB. Runs when the example is built.
 */
final class FontSubset {

    /** First and last code point: Latin letters, the two blocks of punctuation in use, and the euro sign. */
    private static final List<int[]> RANGES = List.of(
            new int[] {0x0020, 0x007E},
            new int[] {0x00A0, 0x024F},
            new int[] {0x1E00, 0x1EFF},
            new int[] {0x2010, 0x2027},
            new int[] {0x2030, 0x203A},
            new int[] {0x20AC, 0x20AC},
            new int[] {0x2212, 0x2212});

    private FontSubset() {}

    static void write(String fontResource, Path target) throws IOException {
        try (InputStream in = FontSubset.class.getResourceAsStream(fontResource)) {
            if (in == null) {
                throw new IllegalStateException("font " + fontResource + " is not on the class path");
            }
            try (TrueTypeFont font = new TTFParser().parse(new RandomAccessReadBuffer(in));
                    OutputStream out = Files.newOutputStream(target)) {
                TTFSubsetter subsetter = new TTFSubsetter(font);
                RANGES.stream()
                        .flatMapToInt(range -> IntStream.rangeClosed(range[0], range[1]))
                        .forEach(subsetter::add);
                subsetter.writeToStream(out);
            }
        }
    }
}
