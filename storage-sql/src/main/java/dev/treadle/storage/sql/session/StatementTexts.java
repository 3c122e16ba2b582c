package dev.treadle.storage.sql.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The statements of a dialect, each read when it is first wanted: a start needs few of them. Thread-safe. */
public final class StatementTexts {
    private final String dialect;
    private final Map<SqlStatement, String> texts = new ConcurrentHashMap<>();

    /** @param dialect the folder that holds its own texts */
    public StatementTexts(String dialect) {
        this.dialect = dialect;
    }

    public String of(SqlStatement verb) {
        String known = texts.get(verb);
        return known != null ? known : texts.computeIfAbsent(verb, this::read);
    }

    private String read(SqlStatement verb) {
        return SqlText.verb(dialect, verb.file())
                .orElseThrow(() -> new IllegalStateException(dialect + " has no statement for " + verb + "."));
    }
}
