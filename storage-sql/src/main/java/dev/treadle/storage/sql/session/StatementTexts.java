package dev.treadle.storage.sql.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The statements for one database. Each is read when it is first needed, because a start needs few. Thread-safe. */
public final class StatementTexts {
    private final SqlSyntax syntax;
    private final Map<SqlStatement, ParsedSql> texts = new ConcurrentHashMap<>();

    public StatementTexts(SqlSyntax syntax) {
        this.syntax = syntax;
    }

    /** The text of a statement as it is sent. */
    public String of(SqlStatement statement) {
        return parsed(statement).sql();
    }

    /** The text with the places of its named parameters. */
    public ParsedSql parsed(SqlStatement statement) {
        ParsedSql known = texts.get(statement);
        return known != null ? known : texts.computeIfAbsent(statement, this::read);
    }

    private ParsedSql read(SqlStatement statement) {
        return syntax.text(statement)
                .map(ParsedSql::of)
                .orElseThrow(() ->
                        new IllegalStateException(syntax.folders() + " have no statement for " + statement + "."));
    }
}
