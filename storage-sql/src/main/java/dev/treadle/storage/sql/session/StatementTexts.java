package dev.treadle.storage.sql.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The statements for one database. Each is read when it is first needed, because a start needs few. Thread-safe. */
public final class StatementTexts {
    private final SqlSyntax syntax;
    private final @Nullable GivenTime time;
    private final Map<SqlStatement, ParsedSql> texts = new ConcurrentHashMap<>();

    public StatementTexts(SqlSyntax syntax) {
        this(syntax, null);
    }

    /** @param time what time it is; null if the database says so */
    public StatementTexts(SqlSyntax syntax, @Nullable GivenTime time) {
        this.syntax = syntax;
        this.time = time;
    }

    /** Whether the database is not asked what time it is. */
    boolean isTimeGiven() {
        return time != null;
    }

    /** The text of a statement as it is sent. */
    public String of(SqlStatement statement) {
        String sql = parsed(statement).sql();
        // why not of that one: sessions of the server are judged by the server's own clock
        return time == null || statement.asksForTheServersTime()
                ? sql
                : syntax.adapter().text(time.in(sql));
    }

    /** A connection on which these statements can be sent. */
    Connection adapted(Connection connection) {
        return syntax.adapter().connection(connection);
    }

    /** Prepares a statement, whose parameters are set by their names; the caller closes it. */
    public NamedStatement prepare(Connection connection, SqlStatement statement) throws SQLException {
        return new NamedStatement(parsed(statement), connection.prepareStatement(of(statement)));
    }

    private ParsedSql parsed(SqlStatement statement) {
        ParsedSql known = texts.get(statement);
        return known != null ? known : texts.computeIfAbsent(statement, this::read);
    }

    private ParsedSql read(SqlStatement statement) {
        return syntax.text(statement)
                .map(ParsedSql::of)
                // why not adapted where the time is given: it is written in portable words first
                .map(text -> time == null ? text.with(syntax.adapter()::text) : text)
                .orElseThrow(() ->
                        new IllegalStateException(syntax.folders() + " have no statement for " + statement + "."));
    }
}
