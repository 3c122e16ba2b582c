package dev.treadle.storage.sql.mariadb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.storage.sql.session.ParsedSql;
import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.SqlSyntax;
import dev.treadle.storage.sql.session.StatementTexts;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Portable statements in MariaDB's words. */
class MariaDbTextTest {
    /** What MariaDB does not know, or means something else by. */
    private static final List<Pattern> FOREIGN = List.of(
            Pattern.compile("\\|\\|"),
            Pattern.compile("with time zone"),
            Pattern.compile("current_timestamp"),
            Pattern.compile("nextval\\('"),
            Pattern.compile("\\bas (bigint|varchar|integer|smallint)\\)"),
            Pattern.compile("::"),
            Pattern.compile("'0\\.000001'"));

    private static final SqlSyntax SYNTAX = MariaDbSyntax.of(SchemaName.OF_CONNECTION);
    private static final StatementTexts TEXTS = new StatementTexts(SYNTAX);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "current_timestamp + interval '60' second | utc_timestamp(6) + interval '60' second",
                "nextval('jobs.treadle_token') | nextval(jobs.treadle_token)",
                "cast(? as varchar), cast(? as bigint) | ?, cast(? as signed)",
                "cast(null as timestamp with time zone) | cast(null as datetime(6))",
                "current_timestamp - cast(? as bigint) * interval '0.000001' second | utc_timestamp(6) - interval ? microsecond",
                "cast(extract(epoch from current_timestamp - beat_at) * 1000000 as bigint) | timestampdiff(microsecond, beat_at, utc_timestamp(6))",
                "timestamp with time zone '2026-01-02 03:04:05.000006+00:00' | timestamp '2026-01-02 03:04:05.000006'",
                "resume_at timestamp(6) with time zone, | resume_at datetime(6),"
            })
    void is_said_with_the_same_meaning(String portable, String own) {
        assertEquals(own, MariaDbText.of(portable));
    }

    @Test
    void nothing_foreign_is_left_in_any_statement() {
        Set<SqlStatement> left = EnumSet.noneOf(SqlStatement.class);
        int looked = 0;
        for (SqlStatement statement : SqlStatement.values()) {
            if (SYNTAX.text(statement).isPresent()) {
                String sent = TEXTS.of(statement);
                looked++;
                if (FOREIGN.stream().anyMatch(foreign -> foreign.matcher(sent).find())) {
                    left.add(statement);
                }
            }
        }

        assertEquals(Set.of(), left);
        assertTrue(looked > 100, "only few statements were looked at");
    }

    @Test
    void parameters_stay_as_many_as_they_were() {
        for (SqlStatement statement : SqlStatement.values()) {
            SYNTAX.text(statement)
                    .map(text -> ParsedSql.of(text).sql())
                    .ifPresent(
                            text -> assertEquals(parameters(text), parameters(TEXTS.of(statement)), statement::name));
        }
    }

    private static long parameters(String text) {
        return text.chars().filter(c -> c == '?').count();
    }
}
