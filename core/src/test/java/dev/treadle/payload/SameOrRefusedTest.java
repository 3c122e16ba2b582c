package dev.treadle.payload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.treadle.job.Secret;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whatever is given either comes back as it was or is refused, whatever was given before. One writer takes all values in a
 * random order; a reader that has seen none of them reads each.
 */
class SameOrRefusedTest {
    private static final long SEED = 20_261_122;
    private static final int VALUES = 5_000;

    private final Random random = new Random(SEED);
    private final JsonArguments json = new JsonArguments();

    enum Kind {
        ONE,
        TWO {
            @Override
            public String toString() {
                return "the other";
            }
        }
    }

    /** What a test type consists of, said by itself and not found out by reflection. */
    interface Told {
        List<@Nullable Object> told();
    }

    public static class Animal implements Told {
        public @Nullable String name;

        @Override
        public List<@Nullable Object> told() {
            return Arrays.asList(name);
        }
    }

    public static class Dog extends Animal {
        public @Nullable BigDecimal weight;

        @Override
        public List<@Nullable Object> told() {
            return Arrays.asList(name, weight);
        }
    }

    /** Equal to each other by their ids, as entities are. */
    public static class Entity implements Told {
        public long id;
        private @Nullable Object hidden;

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Entity e && e.id == id;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(id);
        }

        @Override
        public List<@Nullable Object> told() {
            return Arrays.asList(id, hidden);
        }
    }

    /** A list with more to it than its elements. */
    public static class Lines extends ArrayList<String> implements Told {
        private static final long serialVersionUID = 1L;
        private @Nullable String note;

        @Override
        public List<@Nullable Object> told() {
            return Arrays.asList(new ArrayList<>(this), note);
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class)})
    sealed interface Form permits Circle, Square {}

    record Circle(double radius) implements Form {}

    record Square(BigDecimal side) implements Form {}

    record Box<T>(@Nullable T inside) {}

    record Open(
            @Nullable Object any,
            @Nullable Map<String, Object> map,
            @Nullable Number number,
            @Nullable List<?> list,
            @Nullable Comparable<?> comparable) {}

    record Zoo(
            @Nullable Animal one,
            List<Animal> many,
            Animal[] array,
            Optional<Animal> maybe,
            Map<Kind, Animal> byKind,
            @Nullable Entity entity) {}

    record Times(Instant at, ZonedDateTime zoned, OffsetDateTime offset, LocalDate day, Duration span) {}

    record Numbers(
            BigDecimal decimal,
            BigInteger whole,
            double real,
            @Nullable Double boxed,
            float single,
            long many) {}

    record Sets(
            Set<String> set,
            SortedSet<String> sorted,
            HashSet<UUID> hashed,
            Collection<String> any,
            Map<Long, Kind> map) {}

    record Deep(
            Box<Open> open, Box<Box<List<Zoo>>> zoos, Map<LocalDate, Numbers> byDay, int[][] grid, List<Form> forms) {}

    /** Keeps only cents, which shows with some amounts. */
    record Rounded(BigDecimal amount) {
        Rounded {
            amount = amount.scale() > 2
                    ? amount.setScale(2, RoundingMode.HALF_UP)
                    : amount.scale() == 1 ? amount.setScale(2) : amount;
        }

        @Override
        public BigDecimal amount() {
            return amount.signum() < 0 ? amount.negate() : amount;
        }
    }

    /** The same among plain values, which never meet the binding. */
    record Positive(int amount, String text) {
        @Override
        public int amount() {
            return Math.abs(amount);
        }
    }

    record Mixed(
            @Nullable Lines lines, @Nullable List<String> list, Rounded rounded, Positive positive, Pattern pattern) {}

    static class Shapes {
        void all(Object a, Animal b, List<? extends Number> c, Optional<Long> d, Deep e, Entity[] f, Positive g) {}
    }

    @Test
    void every_value_comes_back_as_it_was_or_is_refused() {
        int kept = 0;
        for (int i = 0; i < VALUES; i++) {
            Object value = request(i % 3 == 0);
            boolean isRefused = !isSameOrRefused(value, i);
            kept += isRefused ? 0 : 1;
            if (i % 3 == 0) {
                int number = i;
                assertTrue(
                        !isRefused,
                        () -> "Seed " + SEED + ", value " + number + ": refused although it is closed: " + told(value));
            }
        }
        int all = kept;
        assertTrue(kept > VALUES / 3 && kept < VALUES, () -> all + " of " + VALUES + " were kept");
    }

    @Test
    void every_argument_of_a_call_comes_back_as_it_was_or_is_refused() {
        Type[] types = Shapes.class.getDeclaredMethods()[0].getGenericParameterTypes();
        int kept = 0;
        for (int i = 0; i < VALUES / 4; i++) {
            boolean isClosed = i % 3 == 0;
            Object[] values = {
                isClosed ? text() : any(2),
                animal(isClosed),
                isClosed ? List.of() : List.of(1, number()),
                isClosed ? Optional.of(i + (1L << 40)) : one(() -> Optional.empty(), () -> null, () -> Optional.of(2L)),
                one(() -> null, () -> deep(isClosed)),
                new Entity[] {entity(isClosed), null},
                positive(isClosed)
            };
            String text;
            try {
                text = json.write(types, values);
            } catch (UnwritableArgumentsException e) {
                assertTrue(!isClosed, e::getMessage);
                continue;
            }
            kept++;
            assertEquals(told(values), told(new JsonArguments().read(text, types)), "seed " + SEED + ", value " + i);
        }
        assertTrue(kept > VALUES / 16, "only " + kept + " were kept");
    }

    /** False if it is refused. */
    private boolean isSameOrRefused(Object value, int number) {
        String text;
        try {
            text = json.writeRequest(value);
        } catch (UnwritableArgumentsException e) {
            return false;
        }
        try {
            assertEquals(
                    told(value),
                    told(new JsonArguments().readRequest(text, value.getClass())),
                    () -> "seed " + SEED + ", value " + number + ": " + text);
        } catch (UnreadableArgumentsException e) {
            fail("seed " + SEED + ", value " + number + " was kept as " + text, e);
        }
        return true;
    }

    private Object request(boolean isClosed) {
        return one(
                () -> deep(isClosed),
                () -> zoo(isClosed),
                () -> times(),
                () -> numbers(),
                () -> sets(isClosed),
                () -> new Open(
                        isClosed ? text() : any(3),
                        isClosed ? null : map(3),
                        isClosed ? null : number(),
                        isClosed ? null : list(2),
                        null),
                () -> mixed(isClosed),
                () -> positive(isClosed),
                () -> animal(isClosed),
                () -> entity(isClosed));
    }

    private Deep deep(boolean isClosed) {
        Map<LocalDate, Numbers> byDay = new HashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            byDay.put(LocalDate.ofEpochDay(random.nextInt(40_000)), numbers());
        }
        return new Deep(
                new Box<>(isClosed ? null : new Open(any(2), null, number(), null, null)),
                new Box<>(new Box<>(List.of(zoo(isClosed)))),
                byDay,
                new int[][] {{1, random.nextInt()}, {}},
                List.of(new Circle(real()), new Square(decimal())));
    }

    private Zoo zoo(boolean isClosed) {
        Map<Kind, Animal> byKind = new EnumMap<>(Kind.class);
        byKind.put(Kind.TWO, animal(isClosed));
        byKind.put(Kind.ONE, animal(true));
        return new Zoo(
                one(() -> null, () -> animal(isClosed)),
                Arrays.asList(animal(true), null, animal(isClosed)),
                new Animal[] {animal(isClosed)},
                one(Optional::empty, () -> Optional.of(animal(isClosed))),
                byKind,
                entity(isClosed));
    }

    private Animal animal(boolean isClosed) {
        Animal animal = isClosed || random.nextBoolean() ? new Animal() : new Dog();
        animal.name = one(() -> null, this::text);
        if (animal instanceof Dog dog) {
            dog.weight = one(() -> null, this::decimal);
        }
        return animal;
    }

    private Entity entity(boolean isClosed) {
        Entity entity = new Entity();
        entity.id = random.nextLong();
        entity.hidden = isClosed ? null : one(() -> null, this::decimal);
        return entity;
    }

    private Times times() {
        Instant at = Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
        return new Times(
                at,
                at.atZone(ZoneId.of(one(() -> "Europe/Berlin", () -> "UTC", () -> "America/New_York", () -> "Z"))),
                at.atOffset(ZoneOffset.ofTotalSeconds(random.nextInt(30_000))),
                LocalDate.ofEpochDay(random.nextInt(100_000)),
                Duration.ofSeconds(random.nextInt(), random.nextInt(1_000_000_000)));
    }

    private Numbers numbers() {
        return new Numbers(
                decimal(),
                one(() -> BigInteger.valueOf(random.nextLong()), () -> new BigInteger(5_000, random)),
                real(),
                one(() -> null, this::real),
                one(() -> -0f, () -> Float.NaN, random::nextFloat),
                random.nextLong());
    }

    private Sets sets(boolean isClosed) {
        Set<String> set = one(LinkedHashSet::new, HashSet::new);
        for (int i = 0; i < 20; i++) {
            set.add(text() + i);
        }
        SortedSet<String> sorted =
                isClosed || random.nextBoolean() ? new TreeSet<>() : new TreeSet<>(Comparator.<String>reverseOrder());
        sorted.addAll(Set.of("a", "b", "c"));
        HashSet<UUID> hashed = new HashSet<>(random.nextInt(500) + 1);
        for (int i = 0; i < 20; i++) {
            hashed.add(new UUID(random.nextLong(), i));
        }
        return new Sets(
                set,
                sorted,
                hashed,
                isClosed ? List.of("a") : one(() -> Set.of("a"), () -> List.of("a")),
                new TreeMap<>(Map.of(random.nextLong(), Kind.TWO, 1L, Kind.ONE)));
    }

    private Mixed mixed(boolean isClosed) {
        Lines lines = new Lines();
        lines.add(text());
        lines.note = isClosed ? null : one(() -> null, this::text);
        return new Mixed(
                one(() -> null, () -> lines),
                isClosed ? null : one(() -> null, () -> lines),
                new Rounded(
                        isClosed ? new BigDecimal("7.25") : one(() -> new BigDecimal("-1.25"), () -> BigDecimal.TEN)),
                positive(isClosed),
                isClosed ? Pattern.compile("a") : Pattern.compile("a", one(() -> 0, () -> Pattern.CASE_INSENSITIVE)));
    }

    private Positive positive(boolean isClosed) {
        return new Positive(isClosed ? random.nextInt(1_000) : random.nextInt(), text());
    }

    private @Nullable Object any(int depth) {
        return one(
                () -> null,
                this::text,
                () -> true,
                random::nextInt,
                () -> (long) random.nextInt(),
                random::nextLong,
                this::real,
                this::decimal,
                () -> Instant.EPOCH,
                () -> LocalDate.EPOCH,
                () -> UUID.randomUUID(),
                () -> Kind.TWO,
                () -> new int[] {1},
                () -> Optional.of(text()),
                () -> animal(false),
                () -> new Circle(1),
                () -> depth == 0 ? "" : list(depth - 1),
                () -> depth == 0 ? "" : new LinkedHashSet<>(list(depth - 1)),
                () -> depth == 0 ? "" : map(depth - 1));
    }

    private List<@Nullable Object> list(int depth) {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            list.add(any(depth));
        }
        return list;
    }

    private Map<String, Object> map(int depth) {
        Map<String, Object> map = one(HashMap::new, TreeMap::new, LinkedHashMap::new);
        for (int i = random.nextInt(3); i > 0; i--) {
            map.put(text() + (random.nextInt(6) == 0 ? "\ud83d" : ""), any(depth));
        }
        return map;
    }

    private Number number() {
        return one(random::nextInt, random::nextLong, this::real, this::decimal, () -> 1.5f, () -> (short) 3);
    }

    private BigDecimal decimal() {
        return new BigDecimal(new BigInteger(random.nextInt(200), random), random.nextInt(40) - 20);
    }

    private double real() {
        return one(
                () -> -0.0,
                () -> Double.NaN,
                () -> Double.NEGATIVE_INFINITY,
                () -> Double.MIN_VALUE,
                random::nextGaussian);
    }

    private String text() {
        return one(() -> "", () -> "a\u0000\"\\", () -> "ä€😀", () -> "cut \ud83d", () -> "word" + random.nextInt(9));
    }

    @SafeVarargs
    private <T> T one(Supplier<? extends T>... ways) {
        return ways[random.nextInt(ways.length)].get();
    }

    /** A value with its types as text; a set that has no order is sorted. */
    private static String told(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof Told self) {
            return value.getClass().getName() + told(self.told());
        }
        if (value instanceof Record) {
            StringBuilder text = new StringBuilder(value.getClass().getName());
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                try {
                    component.getAccessor().setAccessible(true);
                    text.append(' ')
                            .append(component.getName())
                            .append('=')
                            .append(told(component.getAccessor().invoke(value)));
                } catch (ReflectiveOperationException e) {
                    throw new AssertionError(e);
                }
            }
            return text.toString();
        }
        if (value.getClass() == HashSet.class || value.getClass() == LinkedHashSet.class) {
            return "set"
                    + ((Set<?>) value)
                            .stream().map(SameOrRefusedTest::told).sorted().toList();
        }
        if (value instanceof Map<?, ?> map) {
            return "map"
                    + map.entrySet().stream()
                            .map(e -> told(e.getKey()) + ":" + told(e.getValue()))
                            .sorted()
                            .toList();
        }
        if (value instanceof Collection<?> all) {
            return (value instanceof Set ? "set" : "list")
                    + all.stream().map(SameOrRefusedTest::told).toList();
        }
        if (value instanceof Object[] all) {
            return "array" + Arrays.stream(all).map(SameOrRefusedTest::told).toList();
        }
        if (value instanceof Optional<?> maybe) {
            return "maybe " + told(maybe.orElse(null));
        }
        if (value instanceof int[] all) {
            return Arrays.toString(all);
        }
        String flags = value instanceof Pattern pattern ? " " + pattern.flags() : "";
        String name = value instanceof Enum<?> constant ? constant.name() : value.toString();
        return value.getClass().getSimpleName() + " " + name + flags;
    }

    // ---- what users are told

    record Line(String sku, Object price) {}

    record Order(String id, List<Line> lines, Map<String, Object> more) {}

    record Ship(Order order) {}

    record Account(@Secret Object pin) {}

    public static class Leaving {
        public int id;

        @JsonIgnore
        public int left;

        public transient int passing;
    }

    public static class Losing {
        public int id;
        private int lost;
    }

    private String refusal(Object request) {
        return String.valueOf(
                assertThrows(UnwritableArgumentsException.class, () -> json.writeRequest(request), request::toString)
                        .getMessage());
    }

    private static void has(String message, String... parts) {
        for (String part : parts) {
            assertTrue(message.contains(part), () -> "<" + part + "> is missing in: " + message);
        }
    }

    @Test
    void a_later_value_of_a_type_is_looked_at_as_the_first_was() {
        json.writeRequest(new Order("1", List.of(), Map.of("note", "x")));

        BigDecimal money = new BigDecimal("12345678901234567890.10");
        has(
                refusal(new Order("2", List.of(), Map.of("amount", money))),
                "more[\"amount\"] is a java.math.BigDecimal (12345678901234567890.10), but reads back as a java.lang.Double",
                "declare the place as java.math.BigDecimal");
        has(
                refusal(new Order("2", List.of(), Map.of("customer", 5L))),
                "a java.lang.Long (5), but reads back as a java.lang.Integer");
        has(
                refusal(new Order("2", List.of(), Map.of("day", LocalDate.EPOCH))),
                "more[\"day\"] is a java.time.LocalDate (1970-01-01)");

        Zoo zoo = new Zoo(new Animal(), List.of(), new Animal[0], Optional.empty(), Map.of(), null);
        json.writeRequest(zoo);
        has(
                refusal(new Zoo(new Dog(), List.of(), new Animal[0], Optional.empty(), Map.of(), null)),
                "one is a " + Dog.class.getName() + ", but reads back as a " + Animal.class.getName());
    }

    @Test
    void the_place_is_named_from_the_request_down() {
        Line fine = new Line("a", 1);
        Order order = new Order("1", List.of(fine, fine, new Line("c", BigDecimal.ONE)), Map.of());
        has(
                refusal(new Ship(order)),
                "order.lines[2].price is a java.math.BigDecimal (1), but reads back as a java.lang.Integer (1)");
    }

    @Test
    void what_is_marked_as_secret_is_not_in_the_message() {
        String message = refusal(new Account(new BigDecimal("4711")));
        has(message, "pin is ");
        assertTrue(!message.contains("4711"), message);
    }

    @Test
    void what_its_author_leaves_out_may_be_lost_and_nothing_else() {
        Leaving leaving = new Leaving();
        leaving.left = 1;
        leaving.passing = 2;
        json.writeRequest(leaving);
        Losing losing = new Losing();
        losing.lost = 1;
        has(refusal(losing), "lost is a java.lang.Integer (1), but reads back as a java.lang.Integer (0)", "transient");
    }

    @Test
    void half_a_surrogate_pair_in_the_key_of_a_map_is_refused_with_its_place() {
        json.writeRequest(new Order("1", List.of(), Map.of("a", "b")));
        has(refusal(new Order("1", List.of(), Map.of("cut \ud83d", 1))), "urrogate", "more");
    }

    @Test
    void a_long_number_comes_back() {
        record Long(BigInteger number) {}
        json.writeRequest(new Long(BigInteger.ONE));
        Long three = new Long(BigInteger.TEN.pow(3_000));
        assertEquals(three, new JsonArguments().readRequest(json.writeRequest(three), Long.class));
    }

    @Test
    void what_is_too_deep_to_be_read_is_refused() {
        Object nested = 1;
        for (int depth = 0; depth < 250; depth++) {
            Object inside = nested;
            nested = List.of(inside);
            Type[] types = {Object.class};
            Object[] values = {nested};
            try {
                String text = json.write(types, values);
                assertEquals(nested, new JsonArguments().read(text, types)[0]);
            } catch (UnwritableArgumentsException e) {
                assertTrue(depth > 150, e::getMessage);
            }
        }
    }
}
