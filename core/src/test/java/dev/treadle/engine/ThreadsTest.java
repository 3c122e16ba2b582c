package dev.treadle.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of threads in ARCHITECTURE.md. */
class ThreadsTest {
    private static final Pattern ROW = Pattern.compile("\\| `treadle-([a-z-]+)` \\| (at once|later) \\| .* \\|");

    @Test
    void the_table_of_threads_has_each_chore_and_when_it_starts() throws IOException {
        Map<String, String> table = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("../ARCHITECTURE.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                table.put(row.group(1), row.group(2));
            }
        }
        Map<String, String> chores = new TreeMap<>();
        for (Chore chore : Chore.values()) {
            chores.put(chore.threadName(), chore.isUrgent() ? "at once" : "later");
        }

        assertEquals(chores, table);
    }
}
