package dev.treadle.storage.sql.session;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The schema that holds Treadle's tables.
 *
 * @param name null for the one that unqualified names lead to on the connection
 */
public record SchemaName(@Nullable String name) {
    /** The schema that the connection itself chooses. */
    public static final SchemaName OF_CONNECTION = new SchemaName(null);

    /** PostgreSQL cuts names off at 63 bytes, and the channel of notifications has this one in it. */
    public static final int LENGTH_MAX = 48;

    private static final Pattern VALID = Pattern.compile("[a-z_][a-z0-9_]{0," + (LENGTH_MAX - 1) + "}");

    /** Every name of ours. The name of an index that is being created has no schema: the index goes where its table is. */
    private static final Pattern OURS = Pattern.compile("(?<!index if not exists )\\btreadle_");

    /** @throws IllegalArgumentException if it would have to be quoted */
    public SchemaName {
        if (name != null && !VALID.matcher(name).matches()) {
            throw new IllegalArgumentException("The name of the schema is '" + name + "' and must have 1 to "
                    + LENGTH_MAX + " lower-case letters, digits and underscores, and must not begin with a digit.");
        }
    }

    /** The statement with every name of ours in this schema. */
    public String qualified(String sql) {
        return name == null ? sql : OURS.matcher(sql).replaceAll(name + ".treadle_");
    }
}
