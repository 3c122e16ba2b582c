package dev.treadle.storage.sql.session;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the statements for one database from their files. Each is put together once, when it is first needed; what is
 * sent is plain SQL.
 *
 * <p>In a file, <code>${…}</code> stands for a code or a table that a {@linkplain TransitionText transition} names, or else
 * for a fragment of the database; <code>${part:name}</code> stands for the text of a file in {@value #PARTS}, which several
 * statements share.
 *
 * @param folders   the folders to look in; the first that has the file wins
 * @param fragments what this database writes in its own way, by name
 * @param schema    the schema of the tables
 * @param adapter   what this database takes in another way than the files say it
 */
public record SqlSyntax(List<String> folders, Map<String, String> fragments, SchemaName schema, SqlAdapter adapter) {
    static final String PARTS = "parts";

    private static final Pattern FRAGMENT = Pattern.compile("\\$\\{([\\w:-]+)}");

    private static final Map<String, String> TRANSITIONS = TransitionText.fragments();

    /** One that takes everything as the files say it. */
    public SqlSyntax(List<String> folders, Map<String, String> fragments, SchemaName schema) {
        this(folders, fragments, schema, SqlAdapter.NONE);
    }

    /** The text of a statement before it is adapted; empty if this database uses other statements instead. */
    public Optional<String> text(SqlStatement statement) {
        return file(statement)
                .map(SqlText::read)
                .map(SqlText::withoutComments)
                .map(statement::filled)
                .map(schema::qualified)
                .map(this::filled);
    }

    /** The file that the text comes from. */
    public Optional<String> file(SqlStatement statement) {
        return folders.stream()
                .map(folder -> folder + "/" + statement.file() + ".sql")
                .filter(file -> SqlText.read(file) != null)
                .findFirst();
    }

    /** The text with everything in the places of <code>${…}</code>. */
    String filled(String text) {
        Matcher found = FRAGMENT.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (found.find()) {
            String name = found.group(1);
            found.appendReplacement(filled, Matcher.quoteReplacement(fragment(name)));
        }
        return found.appendTail(filled).toString();
    }

    private String fragment(String name) {
        if (name.startsWith("part:")) {
            return part(name.substring("part:".length()));
        }
        String own = fragments.get(name);
        if (own != null) {
            return own;
        }
        String shared = TRANSITIONS.get(name);
        if (shared == null) {
            throw new IllegalStateException("There is no fragment ${" + name + "} for " + folders + ".");
        }
        return schema.qualified(shared);
    }

    private String part(String name) {
        String text = SqlText.read(PARTS + "/" + name + ".sql");
        if (text == null) {
            throw new IllegalStateException(
                    "There is no file " + PARTS + "/" + name + ".sql for ${part:" + name + "}.");
        }
        return filled(schema.qualified(SqlText.withoutComments(text)));
    }
}
