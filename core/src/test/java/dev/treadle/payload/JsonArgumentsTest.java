package dev.treadle.payload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobContext;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonArgumentsTest {
    private final JsonArguments json = new JsonArguments();

    enum Size {
        SMALL,
        LARGE;

        @Override
        public String toString() {
            return name().toLowerCase();
        }
    }

    record Line(String product, BigDecimal price, @Nullable Size size) {}

    record Page<T>(List<T> items, @Nullable Page<T> next) {}

    record Order(long id, List<Line> lines, Map<Size, Integer> counts, Instant at) {}

    record OrderOfNextRelease(
            long id, boolean express, @Nullable String note) {}

    record Tree(@Nullable Tree child) {}

    static class Bean {
        public Set<String> names = Set.of();
    }

    static class Shapes {
        void records(List<Order> orders, Page<Line> page, Map<String, List<Line>> byName) {}

        void times(
                Instant a,
                LocalDate b,
                LocalDateTime c,
                OffsetDateTime d,
                ZonedDateTime e,
                Duration f,
                YearMonth g,
                ZoneId h) {}

        void simple(int a, Long b, String c, Size d, UUID e, BigDecimal f, Optional<String> g, int[] h, TimeUnit i) {}

        void context(String a, JobContext b) {}

        void any(Object a) {}

        void anyList(List<Object> a) {}

        <T> void variable(T a) {}

        void bean(Bean a) {}

        void tree(Tree a) {}

        void sizes(Set<Size> a, double b, char c, byte[] d) {}
    }

    private static Type[] types(String method) {
        return Stream.of(Shapes.class.getDeclaredMethods())
                .filter(m -> m.getName().equals(method))
                .findFirst()
                .orElseThrow()
                .getGenericParameterTypes();
    }

    private String assertRoundTrip(String method, @Nullable Object... values) {
        String text = json.write(types(method), values);
        assertArrayEquals(values, json.read(text, types(method)), text);
        return text;
    }

    private String refusedToWrite(String method, Object... values) {
        return assertThrows(UnwritableArgumentsException.class, () -> json.write(types(method), values))
                .getMessage();
    }

    private String refusedToRead(String text, String method) {
        return assertThrows(UnreadableArgumentsException.class, () -> json.read(text, types(method)))
                .getMessage();
    }

    @Test
    void records_lists_maps_and_nested_generics_come_back_equal() {
        Line line = new Line("ä€😀\u0000", new BigDecimal("1.10"), null);
        Order order = new Order(1, List.of(line, line), Map.of(Size.LARGE, 2), Instant.ofEpochSecond(1, 123_456_789));
        assertRoundTrip(
                "records",
                List.of(order, order),
                new Page<>(List.of(line), new Page<>(List.of(), null)),
                Map.of("a", List.of(line)));
    }

    @Test
    void times_come_back_with_their_offset_and_zone() {
        ZoneId zone = ZoneId.of("Europe/Berlin");
        String text = assertRoundTrip(
                "times",
                Instant.EPOCH,
                LocalDate.of(2026, 1, 2),
                LocalDateTime.of(2026, 1, 2, 3, 4, 5, 6),
                OffsetDateTime.parse("2026-01-02T03:04:05+02:00"),
                ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 0, zone),
                Duration.ofMillis(1_500),
                YearMonth.of(2026, 2),
                zone);
        assertTrue(text.startsWith("[\"1970-01-01T00:00:00Z\",\"2026-01-02\","), text);
    }

    @Test
    void simple_values_and_nulls_come_back_equal() {
        UUID id = new UUID(1, 2);
        assertRoundTrip(
                "simple",
                1,
                2L,
                "c",
                Size.SMALL,
                id,
                new BigDecimal("1.50"),
                Optional.of("g"),
                new int[] {1},
                TimeUnit.DAYS);
        assertRoundTrip("simple", 1, null, null, null, null, null, Optional.empty(), null, null);
        assertRoundTrip(
                "sizes", new LinkedHashSet<>(List.of(Size.LARGE, Size.SMALL)), Double.NaN, '"', new byte[] {1, -1});
    }

    @Test
    void an_enum_is_written_by_its_name() {
        assertEquals("[[\"SMALL\"],0.5,\"c\",null]", json.write(types("sizes"), new Object[] {
            Set.of(Size.SMALL), 0.5, 'c', null
        }));
    }

    @Test
    void half_a_surrogate_pair_comes_back_and_is_stored_as_plain_characters() {
        String text = assertRoundTrip("context", "cut \ud83d", null);
        assertEquals("[\"cut \\ud83d\",null]", text);
    }

    @Test
    void a_context_is_never_written_nor_read() {
        assertRoundTrip("context", "a", null);
        assertNull(json.read("[\"a\",{\"x\":[1]}]", types("context"))[1]);
    }

    @Test
    void a_request_comes_back_equal() {
        Order order = new Order(1, List.of(), Map.of(), Instant.EPOCH);
        assertEquals(order, json.readRequest(json.writeRequest(order), Order.class));
    }

    @Test
    void fields_that_a_release_removed_or_added_do_no_harm() {
        OrderOfNextRelease read =
                json.readRequest("{\"id\":7,\"lines\":[{\"x\":1}],\"at\":null}", OrderOfNextRelease.class);
        assertEquals(new OrderOfNextRelease(7, false, null), read);
    }

    @Test
    void a_type_named_in_the_text_is_ignored() {
        String text = "{\"@class\":\"java.lang.Runtime\",\"id\":7,\"express\":true,\"note\":\"n\"}";
        assertEquals(new OrderOfNextRelease(7, true, "n"), json.readRequest(text, OrderOfNextRelease.class));
        Object read = json.read("[[\"java.net.URL\",\"http://localhost\"]]", types("any"))[0];
        assertEquals(List.of("java.net.URL", "http://localhost"), read);
    }

    @Test
    void a_parameter_that_takes_anything_takes_only_what_comes_back_equal() {
        assertRoundTrip("any", "text");
        assertRoundTrip("variable", 5);
        assertRoundTrip("anyList", List.of("a", true));
        Line line = new Line("a", BigDecimal.ONE, null);
        assertTrue(refusedToWrite("any", line).contains("reads back as a java.util.LinkedHashMap"));
        assertTrue(refusedToWrite("variable", line).contains("Argument 1 (T)"));
        assertTrue(refusedToWrite("anyList", List.of(line)).contains("Argument 1"));
    }

    @Test
    void a_type_without_equals_is_compared_by_its_text() {
        Bean bean = new Bean();
        bean.names = new LinkedHashSet<>(List.of("z", "a", "m"));
        String text = json.write(types("bean"), new Object[] {bean});
        assertEquals(bean.names, ((Bean) json.read(text, types("bean"))[0]).names);
    }

    @Test
    void too_large_arguments_name_their_size_the_limit_and_the_remedy() {
        JsonArguments small = new JsonArguments(10);
        assertEquals("[\"äääab\"]".length(), 9);
        String message = assertThrows(
                        UnwritableArgumentsException.class, () -> small.write(types("any"), new Object[] {"ääääa"}))
                .getMessage();
        assertTrue(message.contains("13 bytes") && message.contains("10") && message.contains("its id"), message);
        assertEquals("[\"€€\"]", small.write(types("any"), new Object[] {"€€"}));
        assertEquals("[\"12€\"]".length(), 7);
        assertThrows(
                UnwritableArgumentsException.class, () -> small.writeRequest(new Line("long", BigDecimal.ONE, null)));
    }

    @Test
    void a_limit_out_of_range_names_the_range() {
        for (int bytes : new int[] {1, 16_777_217}) {
            String message = assertThrows(IllegalArgumentException.class, () -> new JsonArguments(bytes))
                    .getMessage();
            assertTrue(message.contains("from 2 to 16777216"), message);
        }
    }

    @Test
    void endless_and_very_deep_values_are_refused() {
        Tree tree = new Tree(null);
        for (int i = 0; i < 500; i++) {
            tree = new Tree(tree);
        }
        assertTrue(refusedToWrite("tree", tree).contains("Argument 1"));
        assertTrue(refusedToRead("[" + "{\"child\":".repeat(500) + "null" + "}".repeat(500) + "]", "tree")
                .contains("200"));
    }

    @Test
    void text_that_does_not_fit_is_refused_with_the_argument_it_is_about() {
        assertTrue(refusedToRead("{}", "any").contains("not a JSON array"));
        assertTrue(refusedToRead("", "any").contains("not a JSON array"));
        assertTrue(refusedToRead("[1", "context").contains("Argument"));
        assertTrue(refusedToRead("[]", "any").contains("only 0 of 1"));
        assertTrue(refusedToRead("[1,2]", "any").contains("more than 1"));
        assertTrue(refusedToRead("[1] 2", "any").contains("something follows"));
        assertTrue(refusedToRead("[[\"HUGE\"],1,\"c\",null]", "sizes").contains("Argument 1 (java.util.Set<"));
        assertTrue(refusedToRead("[[1],1,\"c\",null]", "sizes").contains("Argument 1"));
        assertTrue(refusedToRead("[null,null,\"c\",null]", "sizes").contains("Argument 2 (double)"));
        assertTrue(refusedToRead("[{\"a\":{}},null]", "context").contains("cancel the job"));
    }

    @Test
    void a_request_that_does_not_fit_is_refused() {
        for (String text :
                List.of("", "null", "[]", "{\"id\":1}{}", "{\"id\":null}", "{\"id\":1.5}", "{\"id\":\"x\"}")) {
            assertThrows(
                    UnreadableArgumentsException.class, () -> json.readRequest(text, OrderOfNextRelease.class), text);
        }
    }
}
