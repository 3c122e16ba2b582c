package dev.treadle.showdown;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowsTest {
    private static final RunRow RUN = new RunRow(
            "a-1", "pool", "fop", 16, true, 1, 200, "3s-5s", 128, Fate.FINISHED, "", 54_321L, 200, 1L << 31, 12L, "");

    @Test
    void what_was_written_is_read_again() {
        assertEquals(RUN, RunRow.of(written(RUN)));
    }

    @Test
    void a_column_that_an_older_file_lacks_is_empty_text() {
        Map<String, String> older = written(RUN);
        older.remove("unwatched");

        assertEquals(RUN, RunRow.of(older));
    }

    @Test
    void a_value_of_another_type_and_a_missing_name_are_refused() {
        Map<String, String> wrong = written(RUN);
        wrong.put("permits", "many");

        assertThrows(NumberFormatException.class, () -> RunRow.of(wrong));
        assertThrows(IllegalArgumentException.class, () -> Rows.read(RunRow.class, List.of("run"), wrong));
    }

    private static Map<String, String> written(RunRow row) {
        List<Object> values = Rows.values(row);
        Map<String, String> written = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            written.put(RunRow.NAMES.get(i), String.valueOf(values.get(i)));
        }
        return written;
    }
}
