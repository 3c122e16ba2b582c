package dev.treadle.storage.sql.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The statements for one database, each read when it is first wanted: a start needs few of them. Thread-safe. */
public final class StatementTexts {
    private final SqlSyntax syntax;
    private final Map<SqlStatement, ParsedSql> texts = new ConcurrentHashMap<>();

    public StatementTexts(SqlSyntax syntax) {
        this.syntax = syntax;
    }

    /** The statement as it is sent. */
    public String of(SqlStatement verb) {
        return parsed(verb).sql();
    }

    /** The statement with the places of its named parameters. */
    public ParsedSql parsed(SqlStatement verb) {
        ParsedSql known = texts.get(verb);
        return known != null ? known : texts.computeIfAbsent(verb, this::read);
    }

    private ParsedSql read(SqlStatement verb) {
        return syntax.text(verb)
                .map(ParsedSql::of)
                .orElseThrow(
                        () -> new IllegalStateException(syntax.folders() + " have no statement for " + verb + "."));
    }
}
