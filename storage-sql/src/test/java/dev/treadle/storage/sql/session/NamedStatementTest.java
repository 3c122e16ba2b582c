package dev.treadle.storage.sql.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NamedStatementTest {
    private interface Use {
        void of(NamedStatement statement) throws SQLException;
    }

    private static String answer(String text, Use setting) throws SQLException {
        ParsedSql parsed = ParsedSql.of(text);
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
                NamedStatement statement = new NamedStatement(parsed, connection.prepareStatement(parsed.sql()))) {
            setting.of(statement);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    private static final String THREE =
            "select cast(:a as varchar) || cast(:b as varchar) || cast(:c as varchar) || cast(:a as varchar)";

    @Test
    void each_value_goes_where_its_name_stands_whatever_the_order() throws SQLException {
        String inOrder = answer(THREE, statement -> {
            statement.setString("a", "1");
            statement.setString("b", "2");
            statement.setString("c", "3");
        });
        String inNone = answer(THREE, statement -> {
            statement.setString("c", "3");
            statement.setString("a", "1");
            statement.setString("b", "2");
        });

        assertEquals("1231", inOrder);
        assertEquals("1231", inNone);
    }

    @Test
    void a_name_that_was_not_set_is_said_before_anything_is_sent() {
        IllegalStateException refused = assertThrows(
                IllegalStateException.class, () -> answer(THREE, statement -> statement.setString("b", "2")));

        assertTrue(String.valueOf(refused.getMessage()).startsWith("The parameters [a, c] are not set in: select"));
        assertThrows(IllegalStateException.class, () -> answer("select :a", NamedStatement::addBatch));
        assertThrows(IllegalStateException.class, () -> answer("select :a", NamedStatement::executeUpdate));
        assertThrows(IllegalStateException.class, () -> answer("select :a", NamedStatement::execute));
    }

    @Test
    void a_name_that_the_text_does_not_have_is_refused() {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> answer(THREE, statement -> statement.setInt("d", 4)));

        assertTrue(String.valueOf(refused.getMessage()).startsWith("There is no parameter :d among [a, b, c] in:"));
    }

    @Test
    void a_text_can_be_asked_whether_it_has_a_name() throws SQLException {
        answer("select :a", statement -> {
            assertTrue(statement.has("a"));
            assertFalse(statement.has("b"));
            statement.setInt("a", 1);
        });
    }

    @Test
    void a_statement_may_have_as_many_names_as_there_are_bits() throws SQLException {
        String most = IntStream.range(0, ParsedSql.NAMES_MAX)
                .mapToObj(i -> "cast(:p" + i + " as integer)")
                .collect(Collectors.joining(" + ", "select ", ""));

        assertEquals("64", answer(most, statement -> {
            for (int i = 0; i < ParsedSql.NAMES_MAX; i++) {
                statement.setInt("p" + i, 1);
            }
        }));
        assertThrows(IllegalStateException.class, () -> answer(most, statement -> statement.setInt("p63", 1)));
    }
}
