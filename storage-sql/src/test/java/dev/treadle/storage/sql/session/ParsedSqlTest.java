package dev.treadle.storage.sql.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParsedSqlTest {
    @Test
    void names_become_question_marks_and_keep_their_places() {
        ParsedSql parsed = ParsedSql.of("select :b, :a_1 where x = :b");

        assertEquals("select ?, ? where x = ?", parsed.sql());
        assertEquals(List.of("b", "a_1"), parsed.names());
        assertArrayEquals(new int[] {1, 3}, parsed.positions(0));
        assertArrayEquals(new int[] {2}, parsed.positions(1));
    }

    @Test
    void a_cast_is_no_name() {
        ParsedSql parsed = ParsedSql.of("select :ids::uuid[], '-infinity'::timestamptz, x::text");

        assertEquals("select ?::uuid[], '-infinity'::timestamptz, x::text", parsed.sql());
        assertEquals(List.of("ids"), parsed.names());
    }

    @Test
    void a_slice_of_an_array_is_no_name() {
        for (String slice : List.of("a[1:n]", "a[i:j]", "a[:n]", "a[f(x):n]", "a[b[1]:n]")) {
            assertEquals(
                    "select " + slice + ", ?",
                    ParsedSql.of("select " + slice + ", :x").sql(),
                    slice);
        }
        assertEquals(
                "select array[ ?, ?]", ParsedSql.of("select array[ :a, :b]").sql());
    }

    @Test
    void what_is_quoted_or_commented_out_is_left_alone() {
        for (String quoted : List.of(
                "';*:x;?'",
                "'it''s :x'",
                "\"a:x?\"",
                "/* :x ?\n :y */",
                "$$ :x ? $$",
                "$do$ :x $$ ? $do$",
                "--:x ?\n")) {
            ParsedSql parsed = ParsedSql.of("select " + quoted + " :a");

            assertEquals("select " + quoted + " ?", parsed.sql());
            assertEquals(List.of("a"), parsed.names());
        }
    }

    @Test
    void names_and_question_marks_do_not_stand_in_one_statement() {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> ParsedSql.of("select :a, ?"));

        assertTrue(String.valueOf(refused.getMessage()).contains("select :a, ?"), refused.getMessage());
    }

    @Test
    void a_statement_with_more_names_than_can_be_kept_track_of_is_refused() {
        String most =
                IntStream.range(0, ParsedSql.NAMES_MAX).mapToObj(i -> ":p" + i).collect(Collectors.joining(", "));

        assertEquals(ParsedSql.NAMES_MAX, ParsedSql.of(most).count());
        assertThrows(IllegalArgumentException.class, () -> ParsedSql.of(most + ", :one_more"));
    }
}
