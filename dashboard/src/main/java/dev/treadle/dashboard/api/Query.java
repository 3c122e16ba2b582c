package dev.treadle.dashboard.api;

import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Request;
import dev.treadle.job.StateName;
import dev.treadle.storage.JobFilter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is typed into the search field, made into a filter: {@code type:mail arg:"a b" error:timeout label:vip
 * queue:mail since:1h state:failed},
 * and any other word is part of the type.
 */
final class Query {
    private static final Pattern WORD = Pattern.compile(
            "(?:(type|label|queue|arg|error|since|until|state):)?(?:\"([^\"]*)\"|(\\S+))", Pattern.CASE_INSENSITIVE);
    private static final Pattern AGO = Pattern.compile("(\\d{1,6})([smhd])");

    private Query() {}

    /** @throws Problem if it says nothing that can be looked for */
    static JobFilter filter(Request request, InstantSource time) {
        Map<String, String> query = request.query();
        JobFilter filter = JobFilter.ALL
                .withState(state(query.get("state")))
                .withSince(time(query.get("since"), time))
                .withUntil(time(query.get("until"), time));
        return filter(filter, query.get("q"), query.get("cause"), time);
    }

    static JobFilter filter(JobFilter begin, @Nullable String text, @Nullable String cause, InstantSource time) {
        JobFilter filter = cause == null || cause.isEmpty() ? begin : begin.withCause(cause);
        Matcher words = WORD.matcher(text == null ? "" : text);
        while (words.find()) {
            String key = words.group(1) == null ? "type" : words.group(1).toLowerCase(Locale.ROOT);
            String value = words.group(2) != null ? words.group(2) : words.group(3);
            filter = switch (key) {
                case "label" -> filter.withLabel(value);
                case "queue" -> filter.withQueue(value);
                case "arg" -> filter.withArguments(value);
                case "error" -> (filter.state() == null ? filter.withState(StateName.FAILED) : filter).withError(value);
                case "since" -> filter.withSince(time(value, time));
                case "until" -> filter.withUntil(time(value, time));
                case "state" -> filter.withState(state(value));
                default -> filter.withType(value);
            };
        }
        return filter;
    }

    /** The same words without what may be a secret that somebody looked for: they are kept, and shown to others. */
    static String shown(String text) {
        return WORD.matcher(text).replaceAll(word -> {
            String key = word.group(1) == null ? "" : word.group(1).toLowerCase(Locale.ROOT);
            return Matcher.quoteReplacement(
                    key.equals("arg") || key.equals("error") ? key + ":" + Redactor.HIDDEN : word.group());
        });
    }

    static @Nullable StateName state(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        return Arrays.stream(StateName.values())
                .filter(state -> state.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> Problem.bad(
                        "There is no state of that name. There are " + Arrays.toString(StateName.values()) + "."));
    }

    private static @Nullable Instant time(@Nullable String text, InstantSource time) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        Matcher ago = AGO.matcher(text);
        if (ago.matches()) {
            long number = Long.parseLong(ago.group(1));
            Duration back = switch (ago.group(2)) {
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                default -> Duration.ofDays(number);
            };
            return time.instant().minus(back);
        }
        try {
            Instant instant = Instant.parse(text);
            if (instant.isBefore(Instant.EPOCH) || instant.isAfter(Instant.parse("9999-01-01T00:00:00Z"))) {
                throw Problem.bad("Times are from 1970 to 9999.");
            }
            return instant;
        } catch (DateTimeException e) {
            throw Problem.bad("A time is such as 30m, 1h, 7d or 2026-01-31T12:00:00Z.");
        }
    }

    /** A number of a range; what is outside is brought to its end. */
    static int number(Request request, String name, int usual, int min, int max) {
        String text = request.query().get(name);
        if (text == null || text.isEmpty()) {
            return usual;
        }
        if (!text.matches("-?\\d{1,9}")) {
            throw Problem.bad("The parameter " + name + " is a number from " + min + " to " + max + ".");
        }
        return Math.max(min, Math.min(max, Integer.parseInt(text)));
    }
}
