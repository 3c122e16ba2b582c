package dev.treadle.storage.sql.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement as it is sent, and where its named parameters are. Parsed once, when the statement is first wanted.
 *
 * @param sql       with a question mark for each parameter
 * @param positions the numbers of the question marks by name; a name may stand in several places
 */
public record ParsedSql(String sql, Map<String, List<Integer>> positions) {
    /** What stands in quotes, a cast, a question mark, or a name. */
    private static final Pattern TOKEN = Pattern.compile("'[^']*'|::|\\?|:([a-z][a-z0-9_]*)");

    /** @throws IllegalArgumentException if the text has named parameters and others */
    public static ParsedSql of(String text) {
        Map<String, List<Integer>> positions = new HashMap<>();
        Matcher token = TOKEN.matcher(text);
        StringBuilder sql = new StringBuilder();
        int count = 0;
        boolean unnamed = false;
        while (token.find()) {
            String name = token.group(1);
            if (name != null) {
                positions.computeIfAbsent(name, unseen -> new ArrayList<>()).add(++count);
                token.appendReplacement(sql, "?");
            } else {
                unnamed |= token.group().equals("?");
            }
        }
        if (unnamed && count > 0) {
            throw new IllegalArgumentException("Named parameters and question marks in one statement: " + text);
        }
        return new ParsedSql(token.appendTail(sql).toString(), positions);
    }
}
