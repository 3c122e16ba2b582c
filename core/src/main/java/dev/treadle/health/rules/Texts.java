package dev.treadle.health.rules;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;

/** Numbers and names as people say them. */
final class Texts {
    private static final long MINUTE_SECONDS = 60;
    private static final long HOUR_SECONDS = 3_600;
    private static final long DAY_SECONDS = 86_400;

    /** Controls, and what sets the direction of text. */
    private static final Pattern UNSEEN =
            Pattern.compile("[\\p{Cntrl}\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2028\\u2029\\u2066-\\u2069]+");

    private Texts() {}

    /** Such as {@code 0.4 s}, {@code 2 min 10 s}, {@code 3 h 12 min}, {@code 2 d 4 h}. */
    static String words(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < MINUTE_SECONDS) {
            return String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%.0f s", duration.toMillis() / 1000.0);
        }
        if (seconds < HOUR_SECONDS) {
            return pair(seconds / MINUTE_SECONDS, "min", seconds % MINUTE_SECONDS, "s");
        }
        if (seconds < DAY_SECONDS) {
            return pair(seconds / HOUR_SECONDS, "h", seconds % HOUR_SECONDS / MINUTE_SECONDS, "min");
        }
        return pair(seconds / DAY_SECONDS, "d", seconds % DAY_SECONDS / HOUR_SECONDS, "h");
    }

    private static String pair(long much, String unit, long little, String smallUnit) {
        return much + " " + unit + (little == 0 ? "" : " " + little + " " + smallUnit);
    }

    /** Without characters that are not seen and turn around or break what stands beside them. */
    static String straight(String text) {
        return UNSEEN.matcher(text).replaceAll("");
    }

    /** {@code SmtpTimeout} of {@code com.acme.SmtpTimeout at com.acme.Mail.send}. */
    static String simpleName(String cause) {
        int at = cause.indexOf(" at ");
        String type = at < 0 ? cause : cause.substring(0, at);
        return type.substring(type.lastIndexOf('.') + 1).replace('$', '.');
    }
}
