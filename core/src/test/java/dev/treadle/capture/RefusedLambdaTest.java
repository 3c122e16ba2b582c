package dev.treadle.capture;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobRequest;
import dev.treadle.job.NotCapturableException;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import java.io.Serializable;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RefusedLambdaTest {
    private final Capture capture = new Capture(new JsonArguments(), TargetRules.applicationTypes(), Supply.ACTIVATOR);
    private final Slips slips = new Slips();
    private final Order order = new Order(42);
    private int counter;

    public static class Slips {
        public void generate(long id) {}

        public void print(String... lines) {}

        public void on(Object when) {}

        public void later(Supplier<Long> id) {}

        private void secret(long id) {}
    }

    public record Order(long id) {
        public void ship() {}

        public long next() {
            return id + 1;
        }
    }

    public record Positive(int value) {
        public Positive {
            if (value <= 0) {
                throw new IllegalArgumentException("counter " + value);
            }
        }
    }

    private static class Concealed {
        public void run() {}
    }

    class Inner {
        public void run() {}
    }

    static class Broken {
        public long getId() {
            throw new IllegalStateException("no id yet");
        }
    }

    static class OneWay {
        private final long id;

        OneWay(long id, String unused) {
            this.id = id;
        }

        public long getId() {
            return id;
        }
    }

    public static class Takes {
        public void oneWay(OneWay value) {}

        public void broken(Broken value) {}

        public void any(Object value) {}
    }

    private void refused(Lambda.Plain lambda, String... parts) {
        refused(lambda, false, parts);
    }

    /** The line is the caller's or one of the few above it, where a lambda of several lines begins. */
    private void refused(Serializable lambda, boolean targeted, String... parts) {
        Object[] given = lambda instanceof Lambda.From<?> ? new Object[] {order} : new Object[0];
        String message = assertThrows(NotCapturableException.class, () -> capture.of(lambda, targeted, given))
                .getMessage();
        for (String part : parts) {
            assertTrue(message.contains(part), () -> "<" + part + "> is missing in: " + message);
        }
        String place = "at " + RefusedLambdaTest.class.getName() + ".";
        assertTrue(message.contains(place), message);
        StackTraceElement here = StackWalker.getInstance()
                .walk(frames -> frames.filter(f -> !f.getMethodName().equals("refused"))
                        .findFirst()
                        .orElseThrow())
                .toStackTraceElement();
        int start = message.indexOf("(RefusedLambdaTest.java:") + "(RefusedLambdaTest.java:".length();
        int line = Integer.parseInt(message.substring(start, message.indexOf(')', start)));
        assertTrue(Math.abs(line - here.getLineNumber()) <= 4, () -> here + " but: " + message);
        assertTrue(message.contains(place + here.getMethodName() + "("), message);
    }

    @Test
    void two_calls() {
        refused(
                () -> slips.generate(order.next()),
                "two calls, ",
                "$Order.next() and ",
                "$Slips.generate(long)",
                "var id = order.id()");
        refused(() -> slips.on(Instant.now()), "two calls, ", "Instant.now() and ");
        refused(() -> slips.on(UUID.randomUUID()), "two calls, ", "UUID.randomUUID() and ");
        refused(() -> slips.on(String.join("-", "a")), "two calls, ", "String.join(");
        refused(
                () -> {
                    slips.generate(1);
                    slips.generate(2);
                },
                "does more after the call of",
                "Slips.generate(long)");
    }

    @Test
    void no_call() {
        refused(() -> {}, "calls no method", "() -> slips.generate(42L)");
        refused(() -> order.id(), "calls no method");
    }

    @Test
    void arithmetic_branches_and_comparisons() {
        refused(() -> slips.generate(counter > 1 ? 2 : 3), "condition or a loop", "method of your own");
        refused(
                () -> {
                    switch (counter) {
                        case 1 -> slips.generate(1);
                        case 2 -> slips.generate(2);
                        default -> slips.generate(3);
                    }
                },
                "switch");
        refused(() -> slips.generate(counter++), "calculates");
    }

    @Test
    void texts_and_values_that_cannot_be_computed() {
        refused(() -> slips.on("Slip " + slips), "puts a ", "$Slips into a text", "var text = ");
        refused(() -> slips.generate(1 / counter), "calculates, which failed: / by zero");
        Order none = null;
        refused(() -> slips.generate(none.id()), "calls id() of null");
        refused(() -> slips.on(UUID.fromString("x")), "UUID.fromString(), which threw java.lang.Ill");
        refused(() -> slips.on(new Positive(counter)), "$Positive, whose constructor threw", "counter 0");
    }

    @Test
    void new_objects_arrays_and_nested_lambdas() {
        refused(() -> slips.on(new Date()), "creates a new java.util.Date", "var when = new Date()");
        refused(() -> slips.on(new int[counter]), "variable arguments", "List.of(");
        refused(() -> slips.later(() -> 1L), "another lambda", "method of your own");
        Lambda.Plain constructor = Slips::new;
        refused(constructor, "creates a new", "Slips");
    }

    @Test
    void synchronized_blocks_and_writes_to_fields() {
        refused(
                () -> {
                    synchronized (slips) {
                        slips.generate(1);
                    }
                },
                "synchronized block");
        refused(() -> counter = 3, "writes to the field counter");
    }

    @Test
    void private_methods() {
        refused(() -> slips.secret(1), "secret(long)", "is private", "make it public");
    }

    @Test
    void calls_of_a_superclass() {
        refused(() -> super.toString(), "toString of a superclass");
        Lambda.Plain reference = super::toString;
        refused(reference, "toString of a superclass");
    }

    @Test
    void a_wrong_number_of_values() {
        Lambda.From<Long> generate = slips::generate;
        String message = assertThrows(IllegalArgumentException.class, () -> capture.of(generate, false))
                .getMessage();
        assertTrue(message.contains("takes 1 values and 0 are given"), message);
    }

    @Test
    void receivers_that_are_data() {
        refused(() -> order.ship(), "$Order", "a record", "give the data as arguments");
        refused((Lambda.From<Order>) o -> o.ship(), false, "on the item itself", "(slips, id) -> slips.generate(id)");
        refused((Lambda.From<Order>) Order::ship, false, "on the item itself");
    }

    @Test
    void receivers_that_nobody_could_supply() {
        Concealed concealed = new Concealed();
        refused(() -> concealed.run(), "$Concealed", "private");
        Inner inner = new Inner();
        refused(() -> inner.run(), "$Inner", "inner class");
        class Local {
            void run() {}
        }
        Local local = new Local();
        refused(() -> local.run(), "local or anonymous class");
    }

    @Test
    void the_service_as_an_argument() {
        refused((Lambda.Targeted<Slips>) s -> slips.on(s), true, "service itself as an argument");
    }

    @Test
    void targets_that_the_rules_refuse() {
        Runtime runtime = Runtime.getRuntime();
        refused(() -> runtime.exit(1), "java.lang.Runtime", "Java platform", "a class of your own");
        Runnable own = () -> {};
        refused(() -> own.run(), "java.lang.Runnable");
        refused(() -> slips.wait(3), "Java platform");
    }

    @Test
    void arguments_that_cannot_be_stored() {
        Takes takes = new Takes();
        OneWay oneWay = new OneWay(1, "x");
        refused(() -> takes.oneWay(oneWay), "Argument 1", "$OneWay", "record of plain data");
        Broken broken = new Broken();
        refused(() -> takes.broken(broken), "Argument 1", "no id yet");
        refused(() -> takes.any(order), "reads back as a java.util.LinkedHashMap");
        Thread thread = Thread.currentThread();
        refused(() -> takes.any(thread), "Argument 1");
        List<String> large = List.of("x".repeat(70_000));
        refused(() -> takes.any(large), "70006 bytes", "65536", "its id");
    }

    @Test
    void null_for_a_primitive_parameter() {
        Long none = null;
        refused(() -> slips.generate(none), "null where the primitive type long");
    }

    @Test
    void what_is_no_lambda() {
        Lambda.Plain anonymous = new Lambda.Plain() {
            @Override
            public void run() {}
        };
        String message = assertThrows(NotCapturableException.class, () -> capture.of(anonymous, false))
                .getMessage();
        assertTrue(message.contains("no lambda or method reference"), message);
    }

    @Test
    void requests_that_cannot_be_found_again() {
        record Local(long id) implements JobRequest<Void> {}
        String message = assertThrows(NotCapturableException.class, () -> capture.of(new Local(1)))
                .getMessage();
        assertTrue(message.contains("local or anonymous class"), message);
    }
}
