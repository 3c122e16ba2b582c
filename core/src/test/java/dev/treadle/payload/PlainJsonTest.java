package dev.treadle.payload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequest;
import dev.treadle.job.Secret;
import java.io.StringWriter;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/** The short way must write, character by character, what the binding writes, and read nothing differently. */
class PlainJsonTest {
    enum Size {
        SMALL,
        LARGE {
            @Override
            public String toString() {
                return "the large one";
            }
        }
    }

    record Numbers(
            int zulu, Integer alpha, long Mike, Long _x, double aB, Double x1, boolean yes, Boolean ja, String ünder) {}

    private record Nested(
            Numbers inner, Size size, UUID id, @Secret String token) implements JobRequest<Void> {}

    record Empty() {}

    /** Says something else than it was given. */
    record Own(String text) {
        @Override
        public String text() {
            return "own " + text;
        }
    }

    /** Changes what it is given, so that it does not read back as it was. */
    record Cutting(int depth) {
        Cutting {
            depth = depth + 1;
        }
    }

    /** Changes some of what it is given, and says that it is equal all the same. */
    record Lying(int amount, String id) {
        Lying {
            amount = amount == 5 ? 50 : amount;
        }

        @Override
        public int amount() {
            return amount == 50 ? 4 : amount;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Lying lying && lying.id.equals(id);
        }

        @Override
        public int hashCode() {
            return id.hashCode();
        }
    }

    record Around(Lying inner) {}

    record WithGetter(int a) {
        public int getB() {
            return a + 1;
        }
    }

    record WithIs(boolean isOpen) {}

    record Renamed(@JsonProperty("other") int a) {}

    record Ignoring(int a, @JsonIgnore int b) {}

    interface Named {
        default String getName() {
            return "a name";
        }
    }

    record Inheriting(int a) implements Named {}

    record Two(int a) {
        Two(String a) {
            this(Integer.parseInt(a));
        }
    }

    record Generic<T>(T a) {}

    record Self(Self next) {}

    record Listing(List<String> all) {}

    enum Spelled {
        @JsonProperty("one")
        ONE
    }

    record Spelling(Spelled how) {}

    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "a",
            "ä€𝄞",
            "\"\\/\b\f\n\r\t",
            "\u0000\u001f\u007f\u2028\ufeff",
            "\ud800",
            "</script>",
            "null",
            "1");
    private static final double[] DOUBLES = {
        0,
        -0.0,
        1,
        -1,
        0.1,
        1e-7,
        1e21,
        123456789.123,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        Double.NaN,
        Double.NEGATIVE_INFINITY
    };
    private static final long[] LONGS = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
    };

    private final PlainJson plain = new PlainJson();
    private final Random random = new Random(7);

    @Test
    void it_writes_what_the_binding_writes_and_reads_it_back() {
        for (int i = 0; i < 5_000; i++) {
            Nested value = nested();
            String text = plain.writeRequest(value);
            if (isFinite(value.inner())) {
                assertEquals(bound(Nested.class, value), text);
                assertEquals(value, plain.readRequest(text, Nested.class));
                assertEquals(value, boundRead(Nested.class, text));
            } else {
                assertNull(text);
                assertNull(plain.readRequest(bound(Nested.class, value), Nested.class));
            }
        }
    }

    @Test
    void an_array_of_arguments_is_the_same_too() {
        Type[] types = {int.class, String.class, JobContext.class, Numbers.class, Size.class, UUID.class, Double.class};
        for (int i = 0; i < 2_000; i++) {
            Numbers numbers = maybe(numbers());
            Object[] values = {
                random.nextInt(), text(), null, numbers, maybe(Size.LARGE), maybe(new UUID(i, i)), maybe(0.5)
            };
            String text = plain.write(types, values);
            if (!isFinite(numbers)) {
                assertNull(text);
                continue;
            }
            assertNotNull(text);
            StringBuilder expected = new StringBuilder("[");
            for (int k = 0; k < types.length; k++) {
                expected.append(k == 0 ? "" : ",").append(values[k] == null ? "null" : bound(types[k], values[k]));
            }
            assertEquals(expected.append(']').toString(), text);
            assertArrayEquals(values, plain.read(text, types));
        }
    }

    @Test
    void a_record_of_nothing_and_one_that_speaks_for_itself_are_as_the_binding_has_them() {
        assertEquals(bound(Empty.class, new Empty()), plain.writeRequest(new Empty()));
        // it reads back as "own own text", so the binding is asked, and finds that too
        assertNull(plain.writeRequest(new Own("text")));
        assertNull(plain.writeRequest(new Cutting(1)));
    }

    @Test
    void each_record_is_looked_at_and_its_equals_is_not_asked() {
        assertNotNull(plain.writeRequest(new Lying(3, "a")));
        assertNotNull(plain.writeRequest(new Around(new Lying(4, "a"))));
        assertNull(plain.writeRequest(new Lying(5, "a")));
        assertNull(plain.writeRequest(new Around(new Lying(5, "a"))));
        assertNotNull(plain.writeRequest(new Lying(6, "a")));
    }

    @Test
    void what_says_anything_about_its_json_is_left_to_the_binding() {
        List<Object> all = List.of(
                new WithGetter(1),
                new WithIs(true),
                new Renamed(1),
                new Ignoring(1, 2),
                new Inheriting(1),
                new Two(1),
                new Generic<>("a"),
                new Self(null),
                new Listing(List.of()),
                new Spelling(Spelled.ONE),
                "text".getBytes(),
                new Object());
        for (Object one : all) {
            assertNull(plain.writeRequest(one), () -> one + " was written");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"a\":1}",
                "{\"a\":1,\"b\":\"x\",\"c\":1}",
                "{\"b\":\"x\",\"a\":1}",
                "{\"a\":\"1\",\"b\":\"x\"}",
                "{\"a\":1.0,\"b\":\"x\"}",
                "{\"a\":3000000000,\"b\":\"x\"}",
                "{\"a\":null,\"b\":\"x\"}",
                "{\"a\":1,\"b\":2}",
                "{\"a\":1,\"b\":\"x\"} 2",
                "{\"a\":1,\"b\":\"x\"",
                "{\"A\":1,\"b\":\"x\"}",
                " {\"a\":1,\"b\":\"x\"}",
                "{\"a\": 1,\"b\":\"x\"}",
                "{\"a\":01,\"b\":\"x\"}",
                "{\"a\":+1,\"b\":\"x\"}",
                "{\"a\":-,\"b\":\"x\"}",
                "{\"a\":-01,\"b\":\"x\"}",
                "{\"a\":1e2,\"b\":\"x\"}",
                "{\"a\":1,\"b\":\"x",
                "{\"a\":1,\"b\":\"x\\",
                "{\"a\":1,\"b\":\"\\x\"}",
                "{\"a\":1,\"b\":\"\\u00g0\"}",
                "{\"a\":1,\"b\":\"\\u00\u0664\u0664\"}",
                "{\"a\":1,\"b\":\"a\nb\"}",
                "{\"a\":1,\"b\":\"\\\"a\nb\"}",
                "{\"a\":1 \"b\":\"x\"}",
                "{\"a\":1,\"b\":'x'}",
                "{\"a\":1,\"b\":nul}"
            })
    void what_was_not_written_like_that_is_left_to_the_binding(String text) {
        assertNull(plain.readRequest(text, Pair.class));
    }

    record Pair(int a, String b) {}

    @Test
    void a_pair_is_read() {
        assertEquals(new Pair(1, "x"), plain.readRequest("{\"a\":1,\"b\":\"x\"}", Pair.class));
        assertEquals(new Pair(1, null), plain.readRequest("{\"a\":1,\"b\":null}", Pair.class));
        assertEquals(new Pair(-7, "/\u00e4A"), plain.readRequest("{\"a\":-7,\"b\":\"\\/\\u00e4\\u0041\"}", Pair.class));
    }

    record Amount(double value) {}

    @ParameterizedTest
    @ValueSource(strings = {"0.0", "-0.0", "1E21", "1.0e-7", "1.5E+3", "4.9E-324"})
    void a_fraction_is_read_as_the_binding_reads_it(String number) {
        String text = "{\"value\":" + number + "}";

        Object read = plain.readRequest(text, Amount.class);

        assertNotNull(read);
        assertEquals(boundRead(Amount.class, text), read);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "01.0",
                "1.",
                ".5",
                "+1.0",
                "1.0e",
                "1.0f",
                "0x1p3",
                "NaN",
                "\"NaN\"",
                "Infinity",
                "1.0 ",
                "null"
            })
    void what_is_no_fraction_is_left_to_the_binding(String number) {
        assertNull(plain.readRequest("{\"value\":" + number + "}", Amount.class));
    }

    private Nested nested() {
        return new Nested(
                maybe(numbers()),
                maybe(random.nextBoolean() ? Size.SMALL : Size.LARGE),
                maybe(UUID.randomUUID()),
                text());
    }

    private Numbers numbers() {
        return new Numbers(
                (int) number(),
                maybe((int) number()),
                number(),
                maybe(number()),
                real(),
                maybe(real()),
                random.nextBoolean(),
                maybe(random.nextBoolean()),
                text());
    }

    private long number() {
        return random.nextBoolean() ? LONGS[random.nextInt(LONGS.length)] : random.nextLong();
    }

    private double real() {
        return random.nextBoolean() ? DOUBLES[random.nextInt(DOUBLES.length)] : random.nextGaussian() * 1e9;
    }

    private String text() {
        return maybe(TEXTS.get(random.nextInt(TEXTS.size())) + TEXTS.get(random.nextInt(TEXTS.size())));
    }

    private <T> T maybe(T value) {
        return random.nextInt(8) == 0 ? null : value;
    }

    private static boolean isFinite(Numbers numbers) {
        return numbers == null
                || Double.isFinite(numbers.aB()) && (numbers.x1() == null || Double.isFinite(numbers.x1()));
    }

    private static String bound(Type type, Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = Mapper.shared().createGenerator(text)) {
            new Codec(Mapper.shared(), type).write(out, value);
        }
        return text.toString();
    }

    private static Object boundRead(Type type, String text) {
        try (JsonParser in = Mapper.shared().createParser(text)) {
            in.nextToken();
            return new Codec(Mapper.shared(), type).read(in);
        }
    }
}
