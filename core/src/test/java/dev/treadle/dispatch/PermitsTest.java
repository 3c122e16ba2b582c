package dev.treadle.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PermitsTest {
    private final Permits permits = new Permits(2);

    @Test
    void no_more_are_taken_than_there_are() {
        assertTrue(permits.tryTake());
        assertTrue(permits.tryTake());
        assertFalse(permits.tryTake());

        assertEquals(2, permits.taken());
        assertEquals(2, permits.total());
    }

    @Test
    void one_that_was_given_back_can_be_taken_again() {
        permits.tryTake();
        permits.tryTake();
        permits.giveBack();

        assertEquals(1, permits.taken());
        assertTrue(permits.tryTake());
        assertFalse(permits.tryTake());
    }
}
