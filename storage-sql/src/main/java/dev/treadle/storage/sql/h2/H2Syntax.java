package dev.treadle.storage.sql.h2;

import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.SqlSyntax;
import java.util.List;
import java.util.Map;

/** Where the texts for H2 come from. */
public final class H2Syntax {
    /** Why an attempt failed and where, as {@code Failure.cause()} works it out; PostgreSQL has a column for it. */
    private static final String CAUSE =
            "case when error_type <> '' then error_type || coalesce(' at ' || regexp_substr("
                    + "error_trace, '\\n\\tat (?!java\\.|javax\\.|jdk\\.|sun\\.)([^(\\n]+)', 1, 1, null, 1), '') end";

    private H2Syntax() {}

    /** H2 would lock every row that the condition matches, so it locks none (ADR 3). */
    public static SqlSyntax of(SchemaName schema) {
        return new SqlSyntax(
                List.of("h2", "portable"), Map.of("skip_locked", "", "skip_locked_leases", "", "cause", CAUSE), schema);
    }
}
