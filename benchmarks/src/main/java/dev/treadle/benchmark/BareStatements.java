package dev.treadle.benchmark;

import dev.treadle.storage.sql.SqlStorageProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** Treadle's own statements, read from where Treadle reads them. */
record BareStatements(String insert, String claim, String complete) {

    static BareStatements load() {
        return new BareStatements(read("insert"), read("claim"), read("complete"));
    }

    /** Whether the claim begins where the last one ended. */
    boolean isBounded() {
        long parameters = claim.chars().filter(c -> c == '?').count();
        return switch ((int) parameters) {
            case 2 -> false;
            case 5 -> true;
            default ->
                throw new IllegalStateException("claim.sql has " + parameters
                        + " parameters. The bare loop knows (limit, node) and (priority, run_at, id, limit, node):"
                        + " teach BareClaimer the new ones.");
        };
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
