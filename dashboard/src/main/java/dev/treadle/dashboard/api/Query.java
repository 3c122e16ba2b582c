package dev.treadle.dashboard.api;

import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Request;
import dev.treadle.job.GateId;
import dev.treadle.job.StateName;
import dev.treadle.storage.admin.JobQuery;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is typed into the search field, made into a filter: {@code type:mail arg:"a b" error:timeout label:vip
 * queue:mail gate:0190… since:1h state:failed},
 * and any other word is part of the type or name. All of them must fit; what contradicts itself is refused.
 */
final class Query {
    private static final Pattern WORD = Pattern.compile(
            "(?:(type|label|queue|gate|arg|error|since|until|state):)?(?:\"([^\"]*)\"|(\\S+))",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern AGO = Pattern.compile("(\\d{1,6})([smhd])");

    private Query() {}

    /** @throws Problem if it says nothing that can be looked for */
    static JobQuery filter(Request request, InstantSource time) {
        Map<String, String> query = request.query();
        JobQuery filter = JobQuery.ALL
                .withState(state(query.get("state")))
                .withSince(time(query.get("since"), time))
                .withUntil(time(query.get("until"), time));
        return filter(filter, query.get("q"), query.get("cause"), time);
    }

    static JobQuery filter(JobQuery begin, @Nullable String text, @Nullable String cause, InstantSource time) {
        JobQuery filter = begin.withState(state(begin.state(), text));
        filter = cause == null || cause.isEmpty() ? filter : filter.withCause(cause);
        Matcher words = WORD.matcher(text == null ? "" : text);
        while (words.find()) {
            String value = value(words);
            filter = switch (key(words)) {
                case "label" -> filter.withLabel(value);
                case "queue" -> filter.withQueue(one("queue", filter.queue(), value));
                case "gate" -> filter.withGate(one("gate", filter.gate(), gate(value)));
                case "arg" -> filter.withArguments(value);
                case "error" -> (filter.state() == null ? filter.withState(StateName.FAILED) : filter).withError(value);
                case "since" -> filter.withSince(later(filter.since(), time(value, time)));
                case "until" -> filter.withUntil(earlier(filter.until(), time(value, time)));
                case "state" -> filter;
                default -> filter.withType(value);
            };
        }
        return filter;
    }

    /** The one state that is asked for, by the list and by its words; null if none is. */
    private static @Nullable StateName state(@Nullable StateName listed, @Nullable String text) {
        StateName asked = listed;
        Matcher words = WORD.matcher(text == null ? "" : text);
        while (words.find()) {
            StateName word = key(words).equals("state") ? state(value(words)) : null;
            if (word != null && asked != null && word != asked) {
                throw Problem.bad("This asks for jobs that are " + asked + " and " + word
                        + " at once, and a job is in one state. Leave one of the two out.");
            }
            asked = word == null ? asked : word;
        }
        return asked;
    }

    private static String key(Matcher word) {
        return word.group(1) == null ? "type" : word.group(1).toLowerCase(Locale.ROOT);
    }

    private static String value(Matcher word) {
        return word.group(2) != null ? word.group(2) : word.group(3);
    }

    private static GateId gate(String value) {
        try {
            return new GateId(UUID.fromString(value));
        } catch (IllegalArgumentException e) {
            throw Problem.bad(
                    "A gate is given by its id, such as gate:0190b1c2-5f1e-8abc-9def-0123456789ab. The page of the"
                            + " job that waits there has it.");
        }
    }

    private static <T> T one(String what, @Nullable T known, T value) {
        if (known != null && !known.equals(value)) {
            throw Problem.bad(
                    "This asks for two of a " + what + " at once, and a job has one. Leave one of the two out.");
        }
        return value;
    }

    private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
        return one == null || other != null && other.isAfter(one) ? other : one;
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        return one == null || other != null && other.isBefore(one) ? other : one;
    }

    /** The same words without text that may be a secret: they are kept, and shown to others. */
    static String shown(String text) {
        String shown = WORD.matcher(text).replaceAll(word -> {
            String key = word.group(1) == null ? "" : word.group(1).toLowerCase(Locale.ROOT);
            return Matcher.quoteReplacement(
                    key.equals("arg") || key.equals("error") ? key + ":" + Redactor.HIDDEN : word.group());
        });
        return FreeText.without(shown, SecretNames::has);
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
