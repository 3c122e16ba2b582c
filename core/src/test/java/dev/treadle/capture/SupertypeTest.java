package dev.treadle.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.NotCapturableException;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls through a variable of a supertype run what their caller would have run, or are refused. */
class SupertypeTest {
    public static class Base {
        public void work() {}

        public void workOn(long id) {}
    }

    public static class Sub extends Base {
        @Override
        public void work() {}
    }

    /** As containers name what they generate. */
    public static class Base$$Proxied extends Base {}

    public interface Face {
        void work();

        default void byDefault(long id) {}
    }

    public abstract static class Half {
        public void work() {}
    }

    public static class Whole extends Half implements Face {
        @Override
        public void work() {}
    }

    private Base field = new Sub();

    private static Capture capture(Supply supply) {
        return new Capture(new JsonArguments(), TargetRules.applicationTypes(), supply);
    }

    private static String target(Supply supply, Lambda.Plain lambda) {
        return capture(supply).of(lambda, false).target();
    }

    private static String refusal(Supply supply, Lambda.Plain lambda) {
        return String.valueOf(assertThrows(NotCapturableException.class, () -> target(supply, lambda))
                .getMessage());
    }

    private static void has(String message, String... parts) {
        for (String part : parts) {
            assertTrue(message.contains(part), () -> "<" + part + "> is missing in: " + message);
        }
    }

    private static String name(Class<?> type, String method) {
        return type.getName() + "#" + method;
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ACTIVATOR")
    void an_object_of_a_subclass_is_refused_where_no_activator_knows_it(Supply supply) {
        Base base = new Sub();
        has(
                refusal(supply, () -> base.work()),
                "the type " + Base.class.getName() + " that holds a " + Sub.class.getName(),
                "Declare the variable as " + Sub.class.getName(),
                "JobActivator",
                "SupertypeTest.java:");
        // why also this: what is not overridden may call what is
        has(refusal(supply, () -> base.workOn(1)), Sub.class.getName());
        has(refusal(supply, () -> this.field.work()), Sub.class.getName());
        Lambda.Plain reference = base::work;
        has(refusal(supply, reference), Sub.class.getName());
        Lambda.From<Long> ofItem = base::workOn;
        assertThrows(NotCapturableException.class, () -> capture(supply).of(ofItem, false, 1L));
    }

    @ParameterizedTest
    @EnumSource
    void an_object_of_the_type_itself_is_called(Supply supply) {
        Base base = new Base();
        Sub sub = new Sub();
        assertEquals(name(Base.class, "work()"), target(supply, () -> base.work()));
        assertEquals(name(Sub.class, "work()"), target(supply, () -> sub.work()));
        assertEquals(name(Sub.class, "workOn(long)"), target(supply, () -> sub.workOn(1)));
    }

    @Test
    void each_capture_of_a_lambda_is_looked_at() {
        Capture capture = capture(Supply.CONSTRUCTOR);
        for (Base base : new Base[] {new Base(), new Sub(), new Base()}) {
            Lambda.Plain lambda = () -> base.work();
            if (base instanceof Sub) {
                assertThrows(NotCapturableException.class, () -> capture.of(lambda, false));
            } else {
                assertEquals(
                        name(Base.class, "work()"), capture.of(lambda, false).target());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_a_container_generates_and_null_stand_for_the_type(Supply supply) {
        Base proxied = new Base$$Proxied();
        Base none = null;
        assertEquals(name(Base.class, "work()"), target(supply, () -> proxied.work()));
        assertEquals(name(Base.class, "work()"), target(supply, () -> none.work()));
    }

    @Test
    void an_interface_and_an_abstract_class_are_refused_where_only_constructors_supply() {
        Face face = new Whole();
        Half half = new Whole();
        has(
                refusal(Supply.CONSTRUCTOR, () -> face.byDefault(3)),
                "the interface " + Face.class.getName(),
                "JobActivator",
                "Declare the variable");
        has(refusal(Supply.CONSTRUCTOR, () -> half.work()), "the abstract class " + Half.class.getName());
        Lambda.Targeted<Face> targeted = any -> any.work();
        assertThrows(
                NotCapturableException.class, () -> capture(Supply.CONSTRUCTOR).of(targeted, true));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CONSTRUCTOR")
    void an_interface_is_left_to_an_activator_here_or_elsewhere(Supply supply) {
        Face face = new Whole();
        Face proxy = (Face) Proxy.newProxyInstance(
                Face.class.getClassLoader(), new Class<?>[] {Face.class}, (self, method, arguments) -> null);
        assertEquals(name(Face.class, "byDefault(long)"), target(supply, () -> face.byDefault(3)));
        assertEquals(name(Face.class, "work()"), target(supply, () -> proxy.work()));
    }

    @Test
    void with_an_activator_the_declared_type_is_called_whatever_it_holds() {
        Base base = new Sub();
        assertEquals(name(Base.class, "work()"), target(Supply.ACTIVATOR, () -> base.work()));
    }
}
