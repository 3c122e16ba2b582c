package dev.treadle.benchmark;

import dev.treadle.storage.sql.postgresql.PostgresSyntax;
import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.SqlStatement;

/** Treadle's own statements, read from where Treadle reads them. */
record BareStatements(String insertOne, String insert, String claim, String complete) {
    /** The lane of jobs that name no queue. */
    static final int LANE = 0;

    static BareStatements load() {
        BareStatements statements = new BareStatements(
                read(SqlStatement.INSERT_ONE),
                read(SqlStatement.INSERT),
                read(SqlStatement.CLAIM),
                read(SqlStatement.COMPLETE));
        statements.check();
        return statements;
    }

    /** @throws IllegalStateException if the statements have other parameters than the bare loop sets */
    void check() {
        check("insert-one", insertOne, "(id, type, method, arguments, priority, traits, lane)", 7);
        check("insert", insert, "(ids, types, methods, arguments, priorities, traits, lane)", 7);
        check("claim", claim, "(priorities, run_ats, ids, last priorities, lane, limit, limit, node)", 8);
        check("complete", complete, "(ids, tokens, micros)", 3);
    }

    private static void check(String verb, String statement, String known, int parameters) {
        long found = statement.chars().filter(c -> c == '?').count();
        if (found != parameters) {
            throw new IllegalStateException(verb + ".sql has " + found + " parameters, and the bare loop sets " + known
                    + ": teach it the new ones.");
        }
    }

    private static String read(SqlStatement statement) {
        return PostgresSyntax.of(SchemaName.OF_CONNECTION, "treadle_due")
                .text(statement)
                .orElseThrow();
    }
}
