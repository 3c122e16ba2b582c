package dev.treadle.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobContext;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CapturedLambdaTest {
    private static final String TYPE = CapturedLambdaTest.class.getName();
    private static final Long LIMIT = Long.valueOf(9);

    private final Capture capture = new Capture(new JsonArguments(), TargetRules.applicationTypes(), Supply.ACTIVATOR);
    private final Slips slips = new Slips();
    private final long month = 7;
    private final Holder holder = new Holder();

    public static class Base {
        public void inherited(long id) {}
    }

    public static class Slips extends Base {
        public int generate(long id) {
            return 1;
        }

        public void generate(long id, @Nullable JobContext context) {}

        public void every(byte a, short b, char c, boolean d, int e) {}

        public void wide(float a, double b, long c) {}

        public void boxed(@Nullable Integer a, @Nullable Long b, @Nullable Boolean c) {}

        public void of(TimeUnit unit, String text, List<LocalDate> days) {}

        void hidden(String text) {}

        public static void all(long month) {}
    }

    public interface Printer {
        void print(String text);

        default Invocation captureOwn(Capture capture) {
            return capture.of((Lambda.Plain) () -> print("a"), false);
        }
    }

    static class Holder {
        final Slips slips = new Slips();
        long count = 3;
    }

    record Shop(Slips slips, long id) {
        Invocation enqueue(Capture capture) {
            return capture.of((Lambda.Plain) () -> slips.generate(id), false);
        }
    }

    class Inner {
        Invocation enqueue() {
            return plain(() -> slips.generate(month));
        }
    }

    public void own(long id) {}

    private Invocation plain(Lambda.Plain lambda) {
        return capture.of(lambda, false);
    }

    private <S> Invocation targeted(Lambda.Targeted<S> lambda) {
        return capture.of(lambda, true);
    }

    private <T> Invocation from(Lambda.From<T> lambda, T item) {
        return capture.of(lambda, false, item);
    }

    private <S, T> Invocation targetedFrom(Lambda.TargetedFrom<S, T> lambda, T item) {
        return capture.of(lambda, true, item);
    }

    private static void assertCall(String method, String arguments, Invocation actual) {
        assertEquals(new Invocation(TYPE + "$Slips", method, arguments), actual);
    }

    @Test
    void the_receiver_may_be_a_captured_local() {
        Slips local = new Slips();
        assertCall("generate(long)", "[42]", plain(() -> local.generate(42L)));
    }

    @Test
    void the_receiver_may_be_a_field_of_this_or_a_chain_of_fields() {
        assertCall("generate(long)", "[42]", plain(() -> slips.generate(42L)));
        assertCall("generate(long)", "[42]", plain(() -> this.holder.slips.generate(42L)));
    }

    @Test
    void the_receiver_is_never_touched_so_it_may_be_null() {
        Holder none = null;
        assertCall("generate(long)", "[42]", plain(() -> none.slips.generate(42L)));
    }

    @Test
    void the_receiver_may_be_this() {
        Invocation expected = new Invocation(TYPE, "own(long)", "[42]");
        assertEquals(expected, plain(() -> this.own(42L)));
        assertEquals(expected, plain(() -> own(42L)));
    }

    @Test
    void a_static_method_has_no_receiver() {
        assertCall("all(long)", "[5]", plain(() -> Slips.all(5)));
    }

    @Test
    void a_lambda_parameter_may_be_the_receiver() {
        assertCall("generate(long)", "[42]", targeted((Slips s) -> s.generate(42L)));
        assertCall("generate(long)", "[42]", targetedFrom((Slips s, Long id) -> s.generate(id), 42L));
    }

    @Test
    void a_lambda_parameter_may_be_an_argument() {
        assertCall("generate(long)", "[42]", from((Long id) -> slips.generate(id), 42L));
    }

    @Test
    void the_receiver_is_stored_as_its_declared_type() {
        Printer printer = text -> {};
        assertEquals(
                new Invocation(TYPE + "$Printer", "print(java.lang.String)", "[\"a\"]"),
                plain(() -> printer.print("a")));
        assertCall("inherited(long)", "[1]", plain(() -> slips.inherited(1)));
    }

    @Test
    void lambdas_may_stand_in_records_inner_classes_interfaces_and_other_lambdas() throws Exception {
        assertCall("generate(long)", "[6]", new Shop(slips, 6).enqueue(capture));
        assertCall("generate(long)", "[7]", new Inner().enqueue());
        Printer printer = text -> {};
        assertEquals(
                TYPE + "$Printer#print(java.lang.String)",
                printer.captureOwn(capture).target());
        Lambda.Plain outer = () -> assertCall("generate(long)", "[8]", plain(() -> slips.generate(8)));
        outer.run();
    }

    @Test
    void method_references_take_their_arguments_beside_them() {
        Lambda.From<Long> bound = slips::generate;
        assertCall("generate(long)", "[42]", capture.of(bound, false, 42L));
        Lambda.TargetedFrom<Slips, Long> unbound = Slips::generate;
        assertCall("generate(long)", "[42]", capture.of(unbound, true, 42L));
        Lambda.From<Long> ofStatic = Slips::all;
        assertCall("all(long)", "[42]", capture.of(ofStatic, false, 42L));
        Lambda.Call2<Long, JobContext> withContext = slips::generate;
        assertCall("generate(long,dev.treadle.job.JobContext)", "[42,null]", capture.of(withContext, false, 42L, null));
    }

    @Test
    void a_reference_to_an_inherited_method_keeps_the_declared_type_of_its_receiver() {
        Lambda.From<Long> bound = slips::inherited;
        assertCall("inherited(long)", "[1]", capture.of(bound, false, 1L));
        Lambda.TargetedFrom<Slips, Long> unbound = Slips::inherited;
        assertCall("inherited(long)", "[1]", capture.of(unbound, true, 1L));
    }

    @Test
    void constants_of_every_primitive_type_are_arguments() {
        assertCall(
                "every(byte,short,char,boolean,int)",
                "[1,300,\"x\",true,70000]",
                plain(() -> slips.every((byte) 1, (short) 300, 'x', true, 70_000)));
        assertCall("wide(float,double,long)", "[1.5,2.25,3]", plain(() -> slips.wide(1.5f, 2.25, 3)));
    }

    @Test
    void captured_values_of_every_primitive_type_are_arguments() {
        byte a = 1;
        short b = 300;
        char c = 'x';
        boolean d = month > 3;
        int e = 70_000;
        assertCall(
                "every(byte,short,char,boolean,int)",
                "[1,300,\"x\",true,70000]",
                plain(() -> slips.every(a, b, c, d, e)));
        float f = 1.5f;
        double g = 2.25;
        assertCall("wide(float,double,long)", "[1.5,2.25,3]", plain(() -> slips.wide(f, g, 3L)));
    }

    @Test
    void arguments_are_boxed_unboxed_widened_and_converted() {
        int i = 42;
        Long boxed = 43L;
        char letter = 'A';
        Integer nothing = null;
        assertCall("generate(long)", "[42]", plain(() -> slips.generate(i)));
        assertCall("generate(long)", "[43]", plain(() -> slips.generate(boxed)));
        assertCall("generate(long)", "[65]", plain(() -> slips.generate(letter)));
        assertCall("wide(float,double,long)", "[42.0,65.0,42]", plain(() -> slips.wide(i, letter, i)));
        assertCall(
                "every(byte,short,char,boolean,int)",
                "[42,42,\"*\",false,43]",
                plain(() -> slips.every((byte) i, (short) i, (char) i, false, (int) (long) boxed)));
        assertCall(
                "boxed(java.lang.Integer,java.lang.Long,java.lang.Boolean)",
                "[null,42,true]",
                plain(() -> slips.boxed(nothing, (long) i, true)));
    }

    @Test
    void fields_enum_constants_casts_and_locals_are_arguments() {
        Object text = "t";
        List<LocalDate> days = List.of(LocalDate.of(2026, 1, 2));
        assertCall(
                "of(java.util.concurrent.TimeUnit,java.lang.String,java.util.List)",
                "[\"DAYS\",\"t\",[\"2026-01-02\"]]",
                plain(() -> slips.of(TimeUnit.DAYS, (String) text, days)));
        assertCall("generate(long)", "[3]", plain(() -> slips.generate(holder.count)));
        assertCall("generate(long)", "[9]", plain(() -> slips.generate(LIMIT)));
        assertCall("generate(long)", "[4]", plain(() -> {
            long id = 4;
            slips.generate(id);
        }));
    }

    @Test
    void the_context_is_stored_as_null() {
        String expected = "generate(long,dev.treadle.job.JobContext)";
        assertCall(expected, "[42,null]", plain(() -> slips.generate(42L, JobContext.SUPPLIED)));
        assertCall(expected, "[42,null]", plain(() -> slips.generate(42L, null)));
    }

    @Test
    void a_package_private_method_may_be_called() {
        assertCall("hidden(java.lang.String)", "[\"a\"]", plain(() -> slips.hidden("a")));
    }

    @Test
    void one_lambda_expression_gives_each_capture_its_own_values() {
        for (long id = 0; id < 3; id++) {
            long each = id;
            assertCall("generate(long)", "[" + each + "]", plain(() -> slips.generate(each)));
        }
    }
}
