package dev.treadle.storage.sql;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What a dialect's verbs say, each read when it is first wanted: a start needs few of them. Thread-safe. */
final class StatementTexts {
    private final Dialect dialect;
    private final Map<SqlStatement, String> texts = new ConcurrentHashMap<>();

    StatementTexts(Dialect dialect) {
        this.dialect = dialect;
    }

    String of(SqlStatement verb) {
        String known = texts.get(verb);
        return known != null ? known : texts.computeIfAbsent(verb, this::read);
    }

    private String read(SqlStatement verb) {
        return SqlText.verb(dialect, verb.file())
                .orElseThrow(() -> new IllegalStateException(dialect + " has no statement for " + verb + "."));
    }
}
