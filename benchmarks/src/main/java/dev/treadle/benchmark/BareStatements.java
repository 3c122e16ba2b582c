package dev.treadle.benchmark;

import dev.treadle.storage.sql.SqlStorageProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** Treadle's own statements, read from where Treadle reads them. */
record BareStatements(String insertOne, String insert, String claim, String complete) {
    /** The lane of jobs that name no queue. */
    static final int LANE = 0;

    static BareStatements load() {
        BareStatements statements =
                new BareStatements(read("insert-one"), read("insert"), read("claim"), read("complete"));
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

    private static String read(String verb) {
        String file = "/dev/treadle/storage/sql/postgresql/" + verb + ".sql";
        try (InputStream in = SqlStorageProvider.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("Treadle's storage has no " + file + ".");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("--"))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
