package dev.treadle.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronScheduleTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "* * * * *        | 2026-03-04T10:20:30Z | 2026-03-04T10:21:00Z",
                "* * * * * *      | 2026-03-04T10:20:30.5Z | 2026-03-04T10:20:31Z",
                "0 2 * * *        | 2026-03-04T02:00:00Z | 2026-03-05T02:00:00Z",
                "*/15 9-17 * * MON-FRI | 2026-03-06T17:45:00Z | 2026-03-09T09:00:00Z",
                "0 0 1,15 * *     | 2026-03-01T00:00:00Z | 2026-03-15T00:00:00Z",
                "0 0 13 * 5       | 2026-03-01T00:00:00Z | 2026-03-06T00:00:00Z", // the 13th or a Friday
                "0 0 */2 * 1      | 2026-03-01T00:00:00Z | 2026-03-09T00:00:00Z", // an odd day and a Monday
                "0 0 L * ?        | 2028-02-01T00:00:00Z | 2028-02-29T00:00:00Z",
                "0 0 L-3 * ?      | 2026-02-01T00:00:00Z | 2026-02-25T00:00:00Z",
                "0 0 LW * ?       | 2026-05-01T00:00:00Z | 2026-05-29T00:00:00Z",
                "0 0 L-1W * *     | 2026-05-01T00:00:00Z | 2026-05-29T00:00:00Z",
                "0 0 15W * *      | 2026-08-01T00:00:00Z | 2026-08-14T00:00:00Z", // a Saturday
                "0 0 16W * *      | 2026-08-01T00:00:00Z | 2026-08-17T00:00:00Z", // a Sunday
                "0 0 1W * *       | 2026-07-31T00:00:00Z | 2026-08-03T00:00:00Z", // not into July
                "0 0 31W * *      | 2026-05-02T00:00:00Z | 2026-05-29T00:00:00Z", // not into June
                "0 0 * * 5#3      | 2026-03-01T00:00:00Z | 2026-03-20T00:00:00Z",
                "0 0 * * FRIL     | 2026-03-01T00:00:00Z | 2026-03-27T00:00:00Z",
                "0 0 * * 7        | 2026-03-02T00:00:00Z | 2026-03-08T00:00:00Z",
                "0 0 * * FRI-MON  | 2026-03-02T00:00:00Z | 2026-03-06T00:00:00Z",
                "0 22-2 * * *     | 2026-03-02T02:00:00Z | 2026-03-02T22:00:00Z",
                "0 0 1 nov-feb *  | 2026-02-02T00:00:00Z | 2026-11-01T00:00:00Z",
                "0 0 29 2 *       | 2096-03-01T00:00:00Z | 2104-02-29T00:00:00Z", // 2100 is no leap year
                "5/20 * * * *     | 2026-03-04T10:20:30Z | 2026-03-04T10:25:00Z",
                "@yearly          | 2026-03-04T10:20:30Z | 2027-01-01T00:00:00Z",
                "@annually        | 2026-03-04T10:20:30Z | 2027-01-01T00:00:00Z",
                "@monthly         | 2026-03-04T10:20:30Z | 2026-04-01T00:00:00Z",
                "@weekly          | 2026-03-04T10:20:30Z | 2026-03-08T00:00:00Z",
                "@Daily           | 2026-03-04T10:20:30Z | 2026-03-05T00:00:00Z",
                "@midnight        | 2026-03-04T10:20:30Z | 2026-03-05T00:00:00Z",
                "@hourly          | 2026-03-04T10:20:30Z | 2026-03-04T11:00:00Z",
            })
    void the_next_time_is_the_first_after_an_instant(String expression, String after, String expected) {
        assertEquals(
                Optional.of(Instant.parse(expected)), Schedule.cron(expression).next(Instant.parse(after)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "60 * * * *      | minute '60' (0 to 59) is wrong: 60 is out of range",
                "a b c d e       | minute 'A' (0 to 59) is wrong",
                "0 0 d m w       | day of month 'D' (1 to 31) is wrong",
                "0 0 1 m w       | month 'M' (1 to 12 or JAN to DEC) is wrong",
                "* 24 * * *      | hour '24' (0 to 23) is wrong: 24 is out of range",
                "* * 0 * *       | day of month '0' (1 to 31) is wrong: 0 is out of range",
                "* * * 13 *      | month '13' (1 to 12 or JAN to DEC) is wrong: 13 is out of range",
                "* * * * 8       | day of week '8' (0 to 7 or SUN to SAT) is wrong: 8 is out of range",
                "61 * * * * *    | second '61' (0 to 59) is wrong: 61 is out of range",
                "1--100000000 * * * * | minute '1--100000000' (0 to 59) is wrong: '1--100000000' is no range",
                "1-99999999999 * * * * | 99999999999 is out of range",
                "*/0 * * * *     | the step 0 is out of range: 1 to 60",
                "*/61 * * * *    | the step 61 is out of range: 1 to 60",
                "*/x * * * *     | the step 'X' is not a number",
                "1/2/3 * * * *   | '1/2/3' has more than one step",
                "1,,2 * * * *    | minute '1,,2' (0 to 59) is wrong: a number is missing",
                "5- * * * *      | a number is missing",
                "-5 * * * *      | a number is missing",
                "? * * * *       | minute '?' (0 to 59) is wrong: '?' is neither a number nor a name",
                "* * * FOO *     | month 'FOO' (1 to 12 or JAN to DEC) is wrong: 'FOO' is neither a number nor a name",
                "* * * * MON#6   | 'MON#6' is out of range: #1 to #5",
                "* * * * L       | write SATL or 6L for the last Saturday of the month",
                "* * L-31 * *    | 'L-31' is out of range: L-1 to L-30",
                "* * 32W * *     | 32 is out of range",
                "* * W * *       | 'W' is neither a number nor a name",
                "0 0 30 2 *      | day of month '30' (1 to 31) is wrong: together with month 2 and day of week * there is no such day",
                "* * * *         | it has 4 fields and must have 5",
                "* * * * * * *   | it has 7 fields and must have 5",
                "@reboot         | the words known are @yearly",
            })
    void a_bad_expression_says_which_field_is_wrong_and_why(String expression, String expected) {
        String message = assertThrows(IllegalArgumentException.class, () -> Schedule.cron(expression))
                .getMessage();

        assertTrue(message.contains(expected), message);
        assertTrue(message.contains("'" + expression + "'"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t"})
    void an_empty_expression_has_no_fields(String expression) {
        String message = assertThrows(IllegalArgumentException.class, () -> Schedule.cron(expression))
                .getMessage();

        assertTrue(message.contains("it has 0 fields"), message);
    }

    @Test
    void an_endless_expression_is_refused_without_being_read() {
        assertThrows(IllegalArgumentException.class, () -> Schedule.cron("1,".repeat(1_000_000) + " * * * *"));
    }

    @Test
    void times_in_a_gap_run_right_after_it_and_once() {
        assertRuns("30 2 * * *", BERLIN, "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
        assertRuns("0,15,30 2 * * *", BERLIN, "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z");
        assertRuns("30 2 * * *", NEW_YORK, "2016-03-13T06:59:59Z", "2016-03-13T07:00:00Z", "2016-03-14T06:30:00Z");
        assertRuns("*/30 * * * *", NEW_YORK, "2016-03-13T06:30:00Z", "2016-03-13T07:00:00Z", "2016-03-13T07:30:00Z");
    }

    @Test
    void fixed_times_in_an_overlap_run_once_and_repeating_ones_go_on() {
        assertRuns("30 1 * * *", NEW_YORK, "2016-11-06T04:59:59Z", "2016-11-06T05:30:00Z", "2016-11-07T06:30:00Z");
        assertRuns("0,45 1,2 * * *", NEW_YORK, "2016-11-06T05:00:00Z", "2016-11-06T05:45:00Z", "2016-11-06T07:00:00Z");
        assertRuns(
                "30 * * * *",
                NEW_YORK,
                "2016-11-06T05:00:00Z",
                "2016-11-06T05:30:00Z",
                "2016-11-06T06:30:00Z",
                "2016-11-06T07:30:00Z");
        assertRuns("*/30 1 * * *", NEW_YORK, "2016-11-06T05:15:00Z", "2016-11-06T05:30:00Z", "2016-11-06T06:00:00Z");
    }

    @Test
    void the_preview_tells_of_gaps_and_overlaps() {
        List<NextRun> spring = Schedule.cron("30 2 * * *", BERLIN).preview(Instant.parse("2026-03-27T12:00:00Z"), 3);
        List<NextRun> autumn = Schedule.cron("30 2 * * *", BERLIN).preview(Instant.parse("2026-10-24T12:00:00Z"), 2);
        List<NextRun> half = Schedule.cron("*/30 2 * * *", BERLIN).preview(Instant.parse("2026-10-24T12:00:00Z"), 4);

        assertEquals(
                List.of("null", "clocks leap from 02:00 to 03:00: 02:30 is not there and runs right after", "null"),
                notes(spring));
        assertEquals(
                "2026-03-29T03:00+02:00[Europe/Berlin]", spring.get(1).local().toString());
        assertEquals(
                List.of(
                        "clocks go back from 03:00 to 02:00: this time comes twice, runs once, this is the first",
                        "null"),
                notes(autumn));
        assertTrue(notes(half).get(1).endsWith("comes twice, this is the first"), notes(half)::toString);
        assertTrue(notes(half).get(2).endsWith("comes twice, this is the second"), notes(half)::toString);
    }

    @Test
    void two_are_equal_if_expression_and_zone_are() {
        assertEquals(Schedule.cron("0  2 * * *", BERLIN), Schedule.cron(" 0 2 * * * ", BERLIN));
        assertEquals(
                Schedule.cron("0 2 * * *").hashCode(),
                Schedule.cron("0 2 * * *").hashCode());
        assertNotEquals(Schedule.cron("0 2 * * *", BERLIN), Schedule.cron("0 2 * * *", ZoneOffset.UTC));
        assertNotEquals(Schedule.cron("0 2 * * *"), Schedule.cron("0 3 * * *"));
    }

    @Test
    void there_is_no_next_time_at_the_end_of_days() {
        assertEquals(Optional.empty(), Schedule.cron("* * * * *").next(Instant.MAX));
        assertEquals(Optional.empty(), Schedule.cron("* * * * *").next(Instant.parse("9999-12-31T00:00:00Z")));
    }

    private static List<String> notes(List<NextRun> preview) {
        return preview.stream().map(one -> String.valueOf(one.note())).toList();
    }

    private static void assertRuns(String expression, ZoneId zone, String after, String... expected) {
        assertEquals(
                List.of(expected),
                Schedule.cron(expression, zone).preview(Instant.parse(after), expected.length).stream()
                        .map(one -> one.at().toString())
                        .toList());
    }
}
