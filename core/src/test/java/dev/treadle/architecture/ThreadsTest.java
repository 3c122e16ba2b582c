package dev.treadle.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of threads in ARCHITECTURE.md. */
class ThreadsTest {
    private static final Pattern ROW = Pattern.compile("\\| `treadle-([a-z-]+)` \\| (at once|later) \\| .* \\|");

    @Test
    void the_table_of_threads_has_each_chore_and_when_it_starts() throws Exception {
        assertEquals(chores(), table());
    }

    private static Map<String, String> table() throws IOException {
        Map<String, String> table = new TreeMap<>();
        for (String line : Files.readAllLines(Pages.page("ARCHITECTURE.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                table.put(row.group(1), row.group(2));
            }
        }
        return table;
    }

    /** By reflection, because nothing outside its package sees {@code Chore}. */
    private static Map<String, String> chores() throws ReflectiveOperationException {
        Class<?> type = CoreClasses.main().stream()
                .filter(one -> one.getSimpleName().equals("Chore"))
                .findFirst()
                .orElseThrow()
                .reflect();
        Method name = type.getDeclaredMethod("threadName");
        Method isUrgent = type.getDeclaredMethod("isUrgent");
        name.setAccessible(true);
        isUrgent.setAccessible(true);
        Map<String, String> chores = new TreeMap<>();
        for (Object chore : type.getEnumConstants()) {
            chores.put((String) name.invoke(chore), (boolean) isUrgent.invoke(chore) ? "at once" : "later");
        }
        return chores;
    }
}
