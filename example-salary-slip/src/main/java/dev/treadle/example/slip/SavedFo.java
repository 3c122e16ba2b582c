package dev.treadle.example.slip;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Word template as it was converted when the example was built, cut at its placeholders.
 *
 * <p>This is the fast way: filling a slip is joining strings. {@link WordEachTime} is the slow one.
 */
final class SavedFo implements FoSource {

    static final String RESOURCE = "salary-slip.fo";

    private static final Pattern GAP = Pattern.compile("\\$\\{([^}]*)}");
    private static final int VALUE_CHARS_EXPECTED = 24;

    private final List<String> texts = new ArrayList<>();
    private final List<Placeholder> gaps = new ArrayList<>();
    private final int charsExpected;

    /**
     * Takes a document with placeholders.
     *
     * @throws IllegalArgumentException when it has a placeholder that no slip has a value for
     */
    SavedFo(String fo) {
        Matcher gap = GAP.matcher(fo);
        int from = 0;
        while (gap.find()) {
            texts.add(fo.substring(from, gap.start()));
            gaps.add(Placeholder.named(gap.group(1))
                    .orElseThrow(() -> new IllegalArgumentException("unknown placeholder " + gap.group())));
            from = gap.end();
        }
        texts.add(fo.substring(from));
        charsExpected = fo.length() + gaps.size() * VALUE_CHARS_EXPECTED;
    }

    /** Reads the document that the build made. */
    static SavedFo fromBuild() {
        try (InputStream in = SavedFo.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing: the build makes it from "
                        + WordTemplate.RESOURCE + " in its process-classes phase (mvn process-classes)");
            }
            return new SavedFo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE, e);
        }
    }

    @Override
    public String foFor(SalarySlip slip) {
        StringBuilder fo = new StringBuilder(charsExpected);
        for (int i = 0; i < gaps.size(); i++) {
            fo.append(texts.get(i));
            XmlText.append(gaps.get(i).valueIn(slip), fo);
        }
        return fo.append(texts.get(gaps.size())).toString();
    }
}
