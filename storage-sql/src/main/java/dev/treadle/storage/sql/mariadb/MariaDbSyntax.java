package dev.treadle.storage.sql.mariadb;

import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.SqlSyntax;
import java.util.List;
import java.util.Map;

/** Where the texts for MariaDB come from. */
public final class MariaDbSyntax {
    /** Why an attempt failed and where, as {@code Failure.cause()} works it out; PostgreSQL has a column for it. */
    private static final String CAUSE =
            "case when error_type <> '' then concat(error_type, coalesce(concat(' at ', nullif("
                    + "regexp_substr(error_trace, '(?<=\\n\\tat )(?!java[.]|javax[.]|jdk[.]|sun[.])[^(\\n]+'), '')), '')) end";

    private MariaDbSyntax() {}

    /**
     * Why a look for orphans locks nothing: it would lock the bodies too, because MariaDB cannot be told to lock the rows of
     * one table only. Those who rescue lock each lease by itself.
     */
    public static SqlSyntax of(SchemaName schema) {
        return new SqlSyntax(
                List.of("mariadb", "portable"),
                Map.of("skip_locked", " for update skip locked", "skip_locked_leases", "", "cause", CAUSE),
                schema,
                new MariaDbAdapter());
    }
}
