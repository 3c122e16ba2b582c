package dev.treadle.storage.sql.migrations;

import dev.treadle.storage.sql.session.SqlText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** One step towards the present tables; applied once and never changed after. */
public record Migration(String name, String text) {
    /** In the order in which they are applied. */
    private static final List<String> NAMES = List.of("V001__tables");

    /**
     * The line of a migration which says that releases that do not know it can start, and work, with the result. Without
     * that line they refuse to start.
     */
    private static final String COMPATIBLE = "-- compatible";

    /** Makes the table that says which steps have been applied. */
    static final String CREATE_SCHEMA_TABLE = "create table if not exists treadle_schema ("
            + "name varchar(200) primary key, checksum bigint not null, applied_at timestamp with time zone not null,"
            + " compatible boolean default false not null)";

    private static final Pattern CREATED = Pattern.compile("create table if not exists (\\w+) \\(");
    private static final Pattern ADDED = Pattern.compile("alter table (\\w+) add column if not exists (\\w+) .*");
    private static final Pattern COLUMN = Pattern.compile("  (?!primary key|unique)(\\w+) .*");

    /** Those of a dialect that this release has. */
    public static List<Migration> all(String dialect) {
        List<Migration> all = new ArrayList<>();
        for (String name : NAMES) {
            String file = "migrations/" + dialect.toLowerCase(Locale.ROOT) + "/" + name + ".sql";
            String text = SqlText.read(file);
            if (text == null) {
                throw new IllegalStateException("The file " + file + " is missing.");
            }
            all.add(new Migration(name, text));
        }
        return all;
    }

    List<String> statements() {
        return Arrays.stream(SqlText.withoutComments(text).split(";\\s*(\n|$)"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    boolean isCompatible() {
        return text.lines().anyMatch(COMPATIBLE::equals);
    }

    long checksum() {
        CRC32 checksum = new CRC32();
        checksum.update(text.getBytes(StandardCharsets.UTF_8));
        return checksum.getValue();
    }

    /** This step as a script for those who apply it themselves, with what says that it has been applied. */
    String script() {
        return CREATE_SCHEMA_TABLE + ";\n\n" + text
                + "\ninsert into treadle_schema (name, checksum, applied_at, compatible)\n"
                + "select '" + name + "', " + checksum() + ", current_timestamp, " + isCompatible()
                + "\n where not exists (select 1 from treadle_schema where name = '" + name + "');\n";
    }

    /** The tables that this step creates, with their columns. */
    Map<String, Set<String>> created() {
        Map<String, Set<String>> created = new LinkedHashMap<>();
        Set<String> columns = null;
        for (String line : text.split("\n")) {
            Matcher table = CREATED.matcher(line);
            Matcher column = COLUMN.matcher(line);
            if (table.matches()) {
                columns = created.computeIfAbsent(table.group(1), unseen -> new LinkedHashSet<>());
            } else if (line.startsWith(")")) {
                columns = null;
            } else if (columns != null && column.matches()) {
                columns.add(column.group(1));
            }
        }
        return created;
    }

    /** The columns that this step adds, by table. */
    Map<String, Set<String>> added() {
        Map<String, Set<String>> added = new LinkedHashMap<>();
        text.lines()
                .map(ADDED::matcher)
                .filter(Matcher::matches)
                .forEach(line -> added.computeIfAbsent(line.group(1), unseen -> new LinkedHashSet<>())
                        .add(line.group(2)));
        return added;
    }
}
