package dev.treadle.storage.sql.h2;

import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.SqlSyntax;
import java.util.List;
import java.util.Map;

/** H2's own texts. */
public final class H2Syntax {
    private H2Syntax() {}

    /** H2 would lock every row that the condition matches, so it locks none (ADR 3). */
    public static SqlSyntax of(SchemaName schema) {
        return new SqlSyntax(List.of("h2", "portable"), Map.of("skip_locked", "", "skip_locked_leases", ""), schema);
    }
}
