package dev.treadle.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {
    private static final double MIDDLE = 0.5;
    private static final double LAST = Math.nextDown(1.0);
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void the_usual_waits_double_up_to_an_hour() {
        List<Long> seconds = IntStream.rangeClosed(1, 12)
                .mapToObj(attempt ->
                        RetryPolicy.DEFAULT.delayAfter(attempt, MIDDLE).toSeconds())
                .toList();

        assertEquals(List.of(5L, 10L, 20L, 40L, 80L, 160L, 320L, 640L, 1280L, 2560L, 3600L, 3600L), seconds);
    }

    @Test
    void jitter_makes_a_wait_a_fifth_shorter_or_longer_and_no_more() {
        assertEquals(Duration.ofSeconds(4), RetryPolicy.DEFAULT.delayAfter(1, 0));
        assertEquals(Duration.ofSeconds(6), RetryPolicy.DEFAULT.delayAfter(1, LAST));
        assertEquals(Duration.ofMinutes(48), RetryPolicy.DEFAULT.delayAfter(100, 0), "the cap comes before the jitter");
        assertEquals(Duration.ofMinutes(72), RetryPolicy.DEFAULT.delayAfter(100, LAST));
    }

    @Test
    void jitter_of_all_or_nothing_never_waits_less_than_a_millisecond() {
        assertEquals(Duration.ofMillis(1), policy(1, 1).delayAfter(1, 0));
        assertEquals(Duration.ofSeconds(2), policy(1, 1).delayAfter(1, LAST));
        assertEquals(SECOND, policy(1, 0).delayAfter(1, 0));
    }

    @Test
    void the_thousandth_attempt_overflows_nothing() {
        RetryPolicy steep = delays(Duration.ofDays(1), RetryPolicy.DELAY_LIMIT)
                .withAttempts(1_000)
                .withFactor(100)
                .withJitter(0);

        assertEquals(Duration.ofDays(1), steep.delayAfter(1, MIDDLE));
        assertEquals(Duration.ofDays(100), steep.delayAfter(2, MIDDLE));
        assertEquals(RetryPolicy.DELAY_LIMIT, steep.delayAfter(3, MIDDLE));
        assertEquals(RetryPolicy.DELAY_LIMIT, steep.delayAfter(1_000, MIDDLE));
    }

    @Test
    void as_many_attempts_are_made_as_were_asked_for() {
        assertTrue(RetryPolicy.DEFAULT.hasAttemptAfter(9));
        assertFalse(RetryPolicy.DEFAULT.hasAttemptAfter(10));
        assertFalse(RetryPolicy.DEFAULT.hasAttemptAfter(11));
        assertFalse(RetryPolicy.NEVER.hasAttemptAfter(1));
    }

    @Test
    void a_setting_out_of_range_is_refused_with_its_name_value_and_range() {
        refused("attempts is 0 and must be 1 to 1000", () -> RetryPolicy.DEFAULT.withAttempts(0));
        refused("attempts is 1001 and must be 1 to 1000", () -> RetryPolicy.DEFAULT.withAttempts(1_001));
        refused("firstDelay is PT0S and must be at least 1 ms", () -> delays(Duration.ZERO, SECOND));
        refused("firstDelay is PT-1S and must be at least 1 ms", () -> delays(SECOND.negated(), SECOND));
        refused(
                "delayMax is PT0.5S and must be PT1S (firstDelay) to PT8760H",
                () -> delays(SECOND, SECOND.dividedBy(2)));
        refused("delayMax is PT8760H0.001S and must be", () -> delays(SECOND, RetryPolicy.DELAY_LIMIT.plusMillis(1)));
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
        refused("delayMax is " + endless + " and must be", () -> delays(endless, endless));
        for (double factor : new double[] {0.99, 100.1, Double.NaN}) {
            refused("factor is " + factor + " and must be 1 to 100", () -> policy(factor, 0));
        }
        for (double jitter : new double[] {-0.1, 1.1, Double.NaN}) {
            refused("jitter is " + jitter + " and must be 0 to 1", () -> policy(2, jitter));
        }
    }

    @Test
    void the_ends_of_each_range_are_in_it() {
        assertEquals(
                "1 PT0.001S 1.0 PT0.001S 0.0",
                delays(Duration.ofMillis(1), Duration.ofMillis(1))
                        .withAttempts(1)
                        .withFactor(1)
                        .withJitter(0)
                        .toText());
        assertEquals(
                "1000 PT8760H 100.0 PT8760H 1.0",
                delays(RetryPolicy.DELAY_LIMIT, RetryPolicy.DELAY_LIMIT)
                        .withAttempts(RetryPolicy.ATTEMPTS_MAX)
                        .withFactor(100)
                        .withJitter(1)
                        .toText());
    }

    @Test
    void a_policy_survives_the_way_into_the_database_and_back() {
        for (RetryPolicy policy : List.of(
                RetryPolicy.DEFAULT,
                RetryPolicy.NEVER,
                delays(Duration.ofNanos(1_500_001), RetryPolicy.DELAY_LIMIT)
                        .withFactor(1.1)
                        .withJitter(0.333333333333))) {
            assertEquals(policy, RetryPolicy.parse(policy.toText()));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            10 PT5S 2.0 PT1H 0.2  | 10
            1 PT0.001S 1.0 PT1S 0 | 1
            """)
    void texts_that_were_stored_once_stay_readable(String text, int attempts) {
        assertEquals(attempts, RetryPolicy.parse(text).attempts());
        assertEquals("10 PT5S 2.0 PT1H 0.2", RetryPolicy.DEFAULT.toText());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "10", "ten PT5S 2 PT1H 0.2", "10 5s 2 PT1H 0.2", "10 PT5S x PT1H 0.2", "0 PT5S 2 PT1H 0.2"})
    void another_text_is_refused(String text) {
        assertThrows(IllegalArgumentException.class, () -> RetryPolicy.parse(text));
    }

    private static RetryPolicy delays(Duration first, Duration max) {
        return RetryPolicy.DEFAULT.withDelays(first, max);
    }

    private static RetryPolicy policy(double factor, double jitter) {
        return delays(SECOND, SECOND).withAttempts(2).withFactor(factor).withJitter(jitter);
    }

    private static void refused(String message, Executable made) {
        String said = assertThrows(IllegalArgumentException.class, made).getMessage();
        assertTrue(said.startsWith("RetryPolicy." + message), said);
    }
}
