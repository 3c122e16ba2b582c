package dev.treadle.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dispatch.FairOrder.Account;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FairOrderTest {
    private final FairOrder order = new FairOrder();
    private final Account one = new Account(1);
    private final Account three = new Account(3);
    private final Map<Account, Integer> got = new HashMap<>();

    @Test
    void each_gets_its_share_by_weight_and_in_turn() {
        turns(400, List.of(one, three), 1);

        assertEquals(100, got.get(one), 1);
        assertEquals(300, got.get(three), 1);
    }

    @Test
    void who_takes_much_at_once_waits_the_longer() {
        for (int turn = 0; turn < 400; turn++) {
            Account next = next(List.of(one, three));
            take(next, next == one ? 100 : 3);
        }

        assertEquals(3.0, (double) got.get(three) / got.get(one), 0.5);
    }

    @Test
    void who_was_away_saves_up_nothing() {
        turns(1_000, List.of(three), 1);
        got.clear();
        turns(40, List.of(one, three), 1);

        assertTrue(got.get(one) <= 11, () -> "one in four: " + got.get(one));
        assertTrue(got.get(one) >= 9, () -> "one in four: " + got.get(one));
    }

    @Test
    void the_lightest_of_many_does_not_starve() {
        Account heavy = new Account(1_000);
        turns(5_000, List.of(one, heavy), 1);

        assertTrue(got.get(one) >= 4, () -> "got " + got.get(one));
    }

    @Test
    void where_nobody_wants_anything_nobody_is_next() {
        assertNull(order.next(List.of()));
    }

    private void turns(int count, List<Account> wanting, int jobs) {
        for (int turn = 0; turn < count; turn++) {
            take(next(wanting), jobs);
        }
    }

    private Account next(List<Account> wanting) {
        Account next = order.next(wanting);
        assertNotNull(next);
        return next;
    }

    private void take(Account next, int jobs) {
        next.pay(jobs);
        got.merge(next, jobs, Integer::sum);
    }
}
