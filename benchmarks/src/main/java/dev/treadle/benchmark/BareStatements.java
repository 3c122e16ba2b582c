package dev.treadle.benchmark;

import dev.treadle.storage.sql.postgresql.PostgresSyntax;
import dev.treadle.storage.sql.session.ParsedSql;
import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.SqlStatement;
import java.util.List;

/** Treadle's own statements, read from where Treadle reads them. */
record BareStatements(String insertOne, String insert, String claim, String complete) {
    /** The lane of jobs that name no queue. */
    static final int LANE = 0;

    static BareStatements load() {
        return new BareStatements(
                read(SqlStatement.INSERT_ONE, 7, "id", "type", "method", "arguments", "priority", "traits", "lane"),
                read(SqlStatement.INSERT, 7, "ids", "types", "methods", "arguments", "priorities", "traits", "lane"),
                // the limit stands there twice
                read(
                        SqlStatement.CLAIM,
                        8,
                        "priorities",
                        "run_ats",
                        "job_ids",
                        "last_priorities",
                        "lane",
                        "max",
                        "node"),
                read(SqlStatement.COMPLETE, 3, "job_ids", "tokens", "ran_micros"));
    }

    /** @throws IllegalStateException if the statement has other parameters than the bare loop sets, by their numbers */
    private static String read(SqlStatement statement, int parameters, String... names) {
        ParsedSql parsed = PostgresSyntax.of(SchemaName.OF_CONNECTION, "treadle_due")
                .text(statement)
                .map(ParsedSql::of)
                .orElseThrow();
        long found = parsed.sql().chars().filter(c -> c == '?').count();
        if (found != parameters || !parsed.names().equals(List.of(names))) {
            throw new IllegalStateException(statement.file() + ".sql has " + found + " parameters, named "
                    + parsed.names() + ", and the bare loop sets " + parameters + ", named " + List.of(names)
                    + ": teach it the new ones.");
        }
        return parsed.sql();
    }
}
