package dev.treadle.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What may be said of keys and unique names. */
class KeyRuleTest {
    @Test
    void what_is_out_of_range_is_refused_with_the_range() {
        assertThrows(IllegalArgumentException.class, () -> KeyRule.mailbox(" "));
        assertThrows(IllegalArgumentException.class, () -> KeyRule.mailbox("x".repeat(KeyRule.KEY_LENGTH_MAX + 1)));
        IllegalArgumentException none = assertThrows(IllegalArgumentException.class, () -> KeyRule.limit("k", 0));
        assertTrue(String.valueOf(none.getMessage()).contains("1 to 1000000"), none::getMessage);
        assertThrows(IllegalArgumentException.class, () -> KeyRule.rate("k", 1, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> KeyRule.rate("k", 1, Duration.ofDays(401)));
        assertThrows(IllegalArgumentException.class, () -> Unique.by(""));
        assertThrows(IllegalArgumentException.class, () -> Unique.by("x").during(Duration.ZERO));
        assertThrows(
                IllegalArgumentException.class,
                () -> new Unique(
                        new Unique.Name("x"), Unique.Span.WAITING, Duration.ofDays(1), Unique.OnConflict.KEEP));
    }

    @Test
    void rules_of_different_kinds_have_different_lines_for_the_same_key() {
        String mailbox = KeyRule.mailbox("k").line();

        assertNotEquals(mailbox, KeyRule.limit("k", 1).line());
        assertNotEquals(mailbox, KeyRule.rate("k", 1, Duration.ofSeconds(1)).line());
        assertEquals(mailbox, KeyRule.mailbox("k").skippingRetries().line());
        assertEquals(KeyRule.limit("k", 1).line(), KeyRule.fair("k", 7).line());
    }

    @Test
    void only_a_mailbox_that_does_not_skip_is_held_throughout() {
        assertTrue(KeyRule.mailbox("k").isHeldThroughout());
        assertFalse(KeyRule.mailbox("k").skippingRetries().isHeldThroughout());
        assertFalse(KeyRule.limit("k", 1).isHeldThroughout());
        assertFalse(KeyRule.rate("k", 1, Duration.ofSeconds(1)).isCounted());
    }
}
