package dev.treadle.storage.sql.session;

import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/**
 * What time it is, said by a test instead of the database: each statement is sent with that time written where it asks
 * the database for it. Thread-safe.
 */
public record GivenTime(InstantSource source) {
    private static final Pattern ASKED = Pattern.compile("\\b(?:current_timestamp\\b|now\\(\\)|clock_timestamp\\(\\))");

    /** As both databases read it; they keep microseconds. */
    private static final DateTimeFormatter LITERAL = DateTimeFormatter.ofPattern(
                    "'timestamp with time zone '''uuuu-MM-dd HH:mm:ss.SSSSSS'+00:00'''")
            .withZone(ZoneOffset.UTC);

    /** The statement as it is sent now. */
    String in(String sql) {
        return ASKED.matcher(sql).replaceAll(LITERAL.format(source.instant()));
    }
}
