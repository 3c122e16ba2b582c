package dev.treadle.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Arguments that a lambda computes and that are computed when the job is enqueued. */
class ComputedArgumentsTest {
    private final Capture capture = new Capture(new JsonArguments(), TargetRules.applicationTypes(), Supply.ACTIVATOR);
    private final Slips slips = new Slips();
    private final Order order = new Order(42, "ann", new Money(new BigDecimal("10.50"), "EUR"), true);
    private int counter = 6;

    public static class Slips {
        public void numbers(int a, long b, float c, double d) {}

        public void flags(boolean a, char b, byte c, short d) {}

        public void text(String text) {}

        public void generate(long id) {}

        public void print(String... lines) {}

        public void sum(int... numbers) {}

        public void money(Money money) {}

        public void values(UUID id, LocalDate day, Duration span, List<String> names) {}
    }

    public record Money(BigDecimal amount, String currency) {
        public Money(String currency) {
            this(BigDecimal.ONE, currency);
        }
    }

    public record Order(long id, String customer, Money price, boolean paid) {}

    record Shop(Slips slips) {}

    private void assertArguments(String arguments, Lambda.Plain lambda) {
        assertEquals(arguments, capture.of(lambda, false).arguments());
    }

    @Test
    void calculations() {
        long big = Long.MAX_VALUE;
        float third = 1f / 3;
        assertArguments(
                "[7,-9223372036854775808,0.6666667,-1.5]",
                () -> slips.numbers(counter + 1, big + 1, third * 2, -(order.id() - 39) / 2.0));
        assertArguments("[-6,3,1.0,2.0]", () -> slips.numbers(~counter + 1, big >>> 61, counter % 5, 1 << 1));
        assertArguments("[1,14,0.0,0.0]", () -> slips.numbers(counter / 5, (long) counter << 1 | 2L, 0, 0));
    }

    @Test
    void components_of_records() {
        assertArguments("[42]", () -> slips.generate(order.id()));
        assertArguments("[\"EUR\"]", () -> slips.text(order.price().currency()));
        assertArguments(
                "[true,\"a\",1,2]",
                () -> slips.flags(order.paid(), order.customer().charAt(0), (byte) 1, (short) 2));
        Lambda.From<Order> each = item -> slips.generate(item.id());
        assertEquals("[42]", capture.of(each, false, order).arguments());
        Shop shop = new Shop(slips);
        assertArguments("[5]", () -> shop.slips().generate(5));
    }

    @Test
    void texts() {
        String none = null;
        char letter = 'x';
        assertArguments(
                "[\"Slip 42 of ann, 10.50, true, null, x\"]",
                () -> slips.text("Slip " + order.id() + " of " + order.customer() + ", "
                        + order.price().amount() + ", " + order.paid() + ", " + none + ", " + letter));
        assertArguments("[\"42\"]", () -> slips.text(String.valueOf(order.id())));
        assertArguments("[\"an\"]", () -> slips.text(order.customer().substring(0, counter - 4)));
    }

    @Test
    void values_of_the_platform() {
        assertArguments(
                "[\"00000000-0000-0001-0000-000000000002\",\"2026-11-24\",\"PT6M\",[\"ann\",\"b\"]]",
                () -> slips.values(
                        UUID.fromString("0-0-1-0-2"),
                        LocalDate.of(2026, 11, 22).plusDays(2),
                        Duration.ofMinutes(counter),
                        List.of(order.customer(), "b")));
    }

    @Test
    void arrays_of_variable_arguments_and_new_records() {
        assertArguments("[[\"a\",\"ann\"]]", () -> slips.print("a", order.customer()));
        assertArguments("[[]]", () -> slips.print());
        assertArguments("[[1,12]]", () -> slips.sum(1, counter * 2));
        assertArguments(
                "[{\"amount\":10.50,\"currency\":\"CHF\"}]",
                () -> slips.money(new Money(order.price().amount(), "CHF")));
        assertArguments("[{\"amount\":1,\"currency\":\"USD\"}]", () -> slips.money(new Money("USD")));
    }

    @Test
    void values_are_computed_anew_at_each_enqueue() {
        Lambda.Plain lambda = () -> slips.generate(counter + 1);
        assertArguments("[7]", lambda);
        counter = 9;
        assertArguments("[10]", lambda);
    }
}
