package dev.treadle.storage.sql.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The statements for one database, each read when it is first wanted: a start needs few of them. Thread-safe. */
public final class StatementTexts {
    private final SqlSyntax syntax;
    private final Map<SqlStatement, String> texts = new ConcurrentHashMap<>();

    public StatementTexts(SqlSyntax syntax) {
        this.syntax = syntax;
    }

    public String of(SqlStatement verb) {
        String known = texts.get(verb);
        return known != null ? known : texts.computeIfAbsent(verb, this::read);
    }

    private String read(SqlStatement verb) {
        return syntax.text(verb)
                .orElseThrow(
                        () -> new IllegalStateException(syntax.folders() + " have no statement for " + verb + "."));
    }
}
