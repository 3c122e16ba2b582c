package dev.treadle.storage.sql.mariadb;

import java.util.List;
import java.util.regex.Pattern;

/** Writes portable statements in MariaDB's words. Parameters stay what and where they are. */
final class MariaDbText {
    /** The first rules are about more than the later ones, which would break them up. */
    private static final List<Rule> RULES = List.of(
            rule("timestamp with time zone '([^']*)\\+00(?::00)?'", "timestamp '$1'"),
            rule(
                    "cast\\(extract\\(epoch from (\\w+) - (\\w+)\\) \\* 1000000 as bigint\\)",
                    "timestampdiff(microsecond, $2, $1)"),
            rule(
                    "cast\\(extract\\(epoch from (timestamp '[^']*') - (\\w+)\\) \\* 1000000 as bigint\\)",
                    "timestampdiff(microsecond, $2, $1)"),
            rule("cast\\(\\? as bigint\\) \\* interval '0\\.000001' second", "interval ? microsecond"),
            rule("cast\\(\\? as varchar\\)", "?"),
            rule("\\bas (?:bigint|integer|smallint)\\)", "as signed)"),
            rule("\\btimestamp(?:\\(6\\))? with time zone\\b", "datetime(6)"),
            rule("\\bnextval\\('([^']+)'\\)", "nextval($1)"),
            // fixed for a statement and not for a transaction; in UTC, whatever the zone of the session
            rule("\\bcurrent_timestamp\\b", "utc_timestamp(6)"));

    private MariaDbText() {}

    static String of(String sql) {
        String text = sql;
        for (Rule rule : RULES) {
            text = rule.portable.matcher(text).replaceAll(rule.own);
        }
        return text;
    }

    private static Rule rule(String portable, String own) {
        return new Rule(Pattern.compile(portable), own);
    }

    private record Rule(Pattern portable, String own) {}
}
