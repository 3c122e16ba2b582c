package dev.treadle.storage.sql.migrations;

import dev.treadle.storage.sql.session.SchemaName;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Looks for the indexes of our tables. Without one of them everything works, and ever more slowly. */
final class PresentIndexes {
    private static final Pattern CREATED =
            Pattern.compile("create (?:unique )?index if not exists (\\w+) on (\\w+)\\b.*", Pattern.DOTALL);

    private PresentIndexes() {}

    /** Those that are missing, as the statements of the steps that make them. */
    static List<String> missing(Connection connection, SchemaName schema, List<Migration> steps) throws SQLException {
        List<String> missing = new ArrayList<>();
        for (Migration step : steps) {
            for (String statement : step.statements()) {
                Matcher created = CREATED.matcher(statement);
                if (created.matches()
                        && !of(connection, schema, created.group(2)).contains(created.group(1))) {
                    missing.add(statement);
                }
            }
        }
        return missing;
    }

    private static Set<String> of(Connection connection, SchemaName schema, String table) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        // MariaDB calls a schema a catalog
        boolean inSchemas = about.supportsSchemasInTableDefinitions();
        String catalog = inSchemas || schema.name() == null ? connection.getCatalog() : schema.name();
        String in = inSchemas ? stored(about, schema.name()) : null;
        Set<String> names = new HashSet<>();
        try (ResultSet rows = about.getIndexInfo(catalog, in, stored(about, table), false, true)) {
            while (rows.next()) {
                String name = rows.getString("INDEX_NAME");
                if (name != null) {
                    names.add(name.toLowerCase(Locale.ROOT));
                }
            }
        }
        return names;
    }

    private static @Nullable String stored(DatabaseMetaData about, @Nullable String name) throws SQLException {
        return name != null && about.storesUpperCaseIdentifiers() ? name.toUpperCase(Locale.ROOT) : name;
    }
}
