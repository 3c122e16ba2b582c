package dev.treadle.storage.sql.session;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement as it is sent, and where its named parameters are. A text names them as {@code :job_id}; what stands in
 * quotes or comments, a cast ({@code ::uuid[]}) and a slice of an array ({@code a[1:n]}) is left alone. Inside brackets, a
 * parameter needs a space before its colon. Parsed once, when the statement is first needed.
 */
public final class ParsedSql {
    /** Most different names in one statement. */
    static final int NAMES_MAX = Long.SIZE;

    /** What has no parameters in it, a question mark, or a name. */
    private static final Pattern TOKEN = Pattern.compile(
            "'[^']*'|\"[^\"]*\"|--[^\\n]*|/\\*.*?\\*/|\\$(\\w*)\\$.*?\\$\\1\\$|::"
                    + "|\\?|(?<![\\w\\])\\[:]):(?<name>[a-z][a-z0-9_]*)",
            Pattern.DOTALL);

    private final String sql;
    private final String[] names;
    private final int[][] positions;

    private ParsedSql(String sql, String[] names, int[][] positions) {
        this.sql = sql;
        this.names = names;
        this.positions = positions;
    }

    /** @throws IllegalArgumentException if the text has named parameters and others, or too many names */
    public static ParsedSql of(String text) {
        Map<String, List<Integer>> positions = new LinkedHashMap<>();
        Matcher token = TOKEN.matcher(text);
        StringBuilder sql = new StringBuilder();
        int count = 0;
        boolean unnamed = false;
        while (token.find()) {
            String name = token.group("name");
            if (name != null) {
                // interned, so that a name in Java code is the same object and found without reading it
                positions
                        .computeIfAbsent(name.intern(), unseen -> new ArrayList<>())
                        .add(++count);
                token.appendReplacement(sql, "?");
            } else {
                unnamed |= token.group().equals("?");
            }
        }
        if (unnamed && count > 0) {
            throw new IllegalArgumentException("Named parameters and question marks in one statement: " + text);
        }
        if (positions.size() > NAMES_MAX) {
            throw new IllegalArgumentException(
                    "A statement has at most " + NAMES_MAX + " names, not " + positions.size() + ": " + text);
        }
        return new ParsedSql(
                token.appendTail(sql).toString(),
                positions.keySet().toArray(new String[0]),
                positions.values().stream()
                        .map(all -> all.stream().mapToInt(Integer::intValue).toArray())
                        .toArray(int[][]::new));
    }

    /** The same with another text that has the same parameters in the same order. */
    ParsedSql with(UnaryOperator<String> change) {
        return new ParsedSql(change.apply(sql), names, positions);
    }

    /** With a question mark for each parameter. */
    public String sql() {
        return sql;
    }

    /** The names in the order in which each stands first in the text. */
    public List<String> names() {
        return List.of(names);
    }

    /** How many different names there are. */
    int count() {
        return names.length;
    }

    /**
     * Which of the names this is; -1 if it is none of them.
     *
     * @param first where to look first
     */
    int indexOf(String name, int first) {
        for (int i = 0; i < names.length; i++) {
            int index = first + i < names.length ? first + i : first + i - names.length;
            if (names[index].equals(name)) {
                return index;
            }
        }
        return -1;
    }

    /** The numbers of the question marks that stand for a name. */
    int[] positions(int index) {
        return positions[index];
    }
}
