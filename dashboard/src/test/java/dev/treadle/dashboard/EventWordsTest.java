package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.HistoryEntry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page of a job has a word and a colour for each event of its history. */
class EventWordsTest {
    @ParameterizedTest
    @EnumSource
    void each_event_has_a_word_and_a_colour(HistoryEntry.Event event) throws IOException {
        String page = page();
        for (String map : new String[] {"const WORDS = {", "const TONES = {"}) {
            int begin = page.indexOf(map);
            String entries = page.substring(begin, page.indexOf("};", begin));
            assertTrue(entries.contains(" " + event + ": '"), () -> map + " … has no " + event);
        }
    }

    private static String page() throws IOException {
        try (InputStream file = Objects.requireNonNull(
                EventWordsTest.class.getResourceAsStream("/dev/treadle/dashboard/page/job.js"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
