package dev.treadle.invoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.invoke.NotRunnableException.Missing;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobActivator;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.NodeId;
import dev.treadle.job.ResultHandler;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InvokerTest {
    private static final String SLIPS = Slips.class.getName();
    private static final JobContext CONTEXT = new Context();

    private final List<String> loaded = new ArrayList<>();
    private final ClassLoader recording = new ClassLoader(InvokerTest.class.getClassLoader()) {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            loaded.add(name);
            return super.loadClass(name, resolve);
        }
    };
    private final Invoker invoker =
            invoker(TargetRules.applicationTypes(), Handlers.none(), new ConstructorActivator());

    record Context() implements JobContext {
        @Override
        public JobId jobId() {
            return JobId.of(new UUID(0, 1));
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public NodeId node() {
            return new NodeId(1);
        }

        @Override
        public boolean shouldStop() {
            return false;
        }
    }

    record Greet(String name) implements JobRequest<String> {}

    static class GreetHandler implements ResultHandler<Greet, String> {
        @Override
        public String run(Greet request, JobContext context) {
            return "Hello " + request.name();
        }
    }

    static class Base {
        String inherited(int a) {
            return "inherited " + a;
        }
    }

    static class Slips extends Base {
        String generate(long id, @Nullable JobContext context) {
            return id + " in attempt " + (context == null ? "none" : context.attempt());
        }

        static String all(List<Greet> greets) {
            return greets.get(0).name();
        }

        Slips self() {
            return this;
        }

        void failing() throws IOException {
            throw new IOException("disk full");
        }

        private void secret() {}
    }

    static class Unbuildable {
        Unbuildable(String needs) {}

        void run() {}
    }

    static class Failing {
        Failing() {
            throw new IllegalStateException("no database");
        }

        void run() {}
    }

    interface Contract {
        void run();
    }

    private Invoker invoker(TargetRules rules, Handlers handlers, JobActivator activator) {
        return new Invoker(rules, handlers, activator, new JsonArguments(), recording);
    }

    private static Object run(Call call) throws Exception {
        try {
            return call.run(CONTEXT);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static void assertNotRunnable(Missing missing, Invoker invoker, Invocation invocation, String... parts) {
        NotRunnableException e = assertThrows(NotRunnableException.class, () -> invoker.resolve(invocation));
        for (String part : parts) {
            assertTrue(e.getMessage().contains(part), () -> "<" + part + "> is missing in: " + e.getMessage());
        }
        assertEquals(missing, e.missing());
    }

    @Test
    void a_method_is_called_with_its_arguments_and_the_real_context() throws Exception {
        Invocation invocation = new Invocation(SLIPS, "generate(long,dev.treadle.job.JobContext)", "[42,null]");
        assertEquals("42 in attempt 1", run(invoker.resolve(invocation)));
        assertTrue(invoker.knows(invocation.target()));
    }

    @Test
    void static_and_inherited_methods_are_called() throws Exception {
        assertEquals("a", run(invoker.resolve(new Invocation(SLIPS, "all(java.util.List)", "[[{\"name\":\"a\"}]]"))));
        assertEquals("inherited 1", run(invoker.resolve(new Invocation(SLIPS, "inherited(int)", "[1]"))));
    }

    @Test
    void each_run_gets_its_own_receiver() throws Exception {
        Invocation self = new Invocation(SLIPS, "self()", "[]");
        assertNotSame(run(invoker.resolve(self)), run(invoker.resolve(self)));
    }

    @Test
    void what_user_code_throws_comes_through_as_thrown() {
        IOException e =
                assertThrows(IOException.class, () -> run(invoker.resolve(new Invocation(SLIPS, "failing()", "[]"))));
        assertEquals("disk full", e.getMessage());
    }

    @Test
    void a_request_runs_by_its_handler_given_as_instance_or_as_class() throws Exception {
        Invocation greet = new Invocation(Greet.class.getName(), null, "{\"name\":\"Ada\"}");
        for (Handlers handlers : List.of(
                Handlers.none().withResult(Greet.class, new GreetHandler()),
                Handlers.none().withResult(Greet.class, GreetHandler.class),
                Handlers.none().withResult(Greet.class, (request, context) -> "Hello " + request.name()))) {
            Invoker knowing = invoker(TargetRules.applicationTypes(), handlers, new ConstructorActivator());
            assertEquals("Hello Ada", run(knowing.resolve(greet)));
            assertTrue(knowing.knows(greet.target()));
            assertEquals(List.of(Greet.class), List.copyOf(handlers.requests()));
        }
        assertFalse(invoker.knows(greet.target()));
        assertNotRunnable(Missing.TARGET, invoker, greet, "No handler is registered", "$Greet");
    }

    @Test
    void registration_errors_are_found_at_once() {
        Handlers handlers = Handlers.none().withResult(Greet.class, new GreetHandler());
        String message = assertThrows(
                        IllegalArgumentException.class, () -> handlers.withResult(Greet.class, GreetHandler.class))
                .getMessage();
        assertTrue(message.contains("Two handlers") && message.contains("$Greet"), message);
        assertThrows(IllegalArgumentException.class, InvokerTest::registerForTheInterface);
    }

    private static void registerForTheInterface() {
        interface Named extends JobRequest<String> {}
        Handlers.none().withResult(Named.class, (request, context) -> "");
    }

    @Test
    void gadgets_are_refused_without_loading_their_class() {
        for (Invocation gadget : List.of(
                new Invocation("java.lang.Runtime", "exec(java.lang.String)", "[\"true\"]"),
                new Invocation("javax.naming.InitialContext", "doLookup(java.lang.String)", "[\"ldap://x\"]"),
                new Invocation("org.h2.tools.RunScript", "main(java.lang.String[])", "[[]]"),
                new Invocation("dev.treadle.payload.JsonArguments", "read(java.lang.String)", "[\"\"]"),
                new Invocation("[Ljava.lang.Runtime;", "clone()", "[]"))) {
            assertNotRunnable(Missing.TARGET, invoker, gadget, gadget.type());
            assertFalse(invoker.knows(gadget.target()));
        }
        assertEquals(List.of(), loaded);
    }

    @Test
    void a_type_named_in_the_arguments_is_not_loaded() throws Exception {
        String text = "[[{\"@class\":\"javax.swing.JEditorPane\",\"name\":\"a\"}]]";
        assertEquals("a", run(invoker.resolve(new Invocation(SLIPS, "all(java.util.List)", text))));
        assertFalse(loaded.contains("javax.swing.JEditorPane"));
    }

    @Test
    void what_no_rule_allows_names_the_rule_that_would() {
        Invoker strict = invoker(TargetRules.allow(List.of("com.acme")), Handlers.none(), new ConstructorActivator());
        assertNotRunnable(
                Missing.TARGET, strict, new Invocation(SLIPS, "self()", "[]"), "allow(\"dev.treadle.invoke\")");
        assertEquals(List.of(), loaded);
    }

    @Test
    void what_is_not_here_says_so() {
        assertNotRunnable(
                Missing.TARGET,
                invoker,
                new Invocation("com.acme.Gone", "run()", "[]"),
                "com.acme.Gone is not on this node");
        assertNotRunnable(
                Missing.TARGET,
                invoker,
                new Invocation(SLIPS, "generate(long)", "[1]"),
                "no method generate(long)",
                "generate(long,dev.treadle.job.JobContext)");
        assertNotRunnable(Missing.TARGET, invoker, new Invocation(SLIPS, "secret()", "[]"), "is private");
        assertNotRunnable(Missing.TARGET, invoker, new Invocation(SLIPS, "wait(long)", "[1]"), "Java platform");
        assertFalse(invoker.knows("com.acme.Gone#run()"));
        assertFalse(invoker.knows(SLIPS + "#gone()"));
        assertFalse(invoker.knows(""));
    }

    @Test
    void unreadable_arguments_are_told_from_an_unknown_target() {
        Invocation invocation = new Invocation(SLIPS, "inherited(int)", "[\"x\"]");
        assertNotRunnable(Missing.ARGUMENTS, invoker, invocation, "Argument 1 (int)");
        assertTrue(invoker.knows(invocation.target()));
        String endless = "[\"" + "x".repeat(10_000) + "\"]";
        NotRunnableException e = assertThrows(
                NotRunnableException.class, () -> invoker.resolve(new Invocation(SLIPS, "inherited(int)", endless)));
        assertTrue(e.getMessage().length() < 1_000, e.getMessage());
    }

    @Test
    void a_receiver_that_nobody_supplies_says_why() {
        String unbuildable = Unbuildable.class.getName();
        assertNotRunnable(
                Missing.RECEIVER,
                invoker,
                new Invocation(unbuildable, "run()", "[]"),
                unbuildable,
                "no constructor without parameters",
                "JobActivator");
        assertNotRunnable(
                Missing.RECEIVER, invoker, new Invocation(Failing.class.getName(), "run()", "[]"), "no database");
        assertNotRunnable(
                Missing.RECEIVER,
                invoker,
                new Invocation(Contract.class.getName(), "run()", "[]"),
                "interface or abstract");
    }

    @Test
    void an_activator_is_not_believed_blindly() {
        Invoker wrong = invoker(TargetRules.applicationTypes(), Handlers.none(), new Wrong());
        assertNotRunnable(Missing.RECEIVER, wrong, new Invocation(SLIPS, "self()", "[]"), "gave a java.lang.String");
    }

    private static final class Wrong implements JobActivator {
        @Override
        @SuppressWarnings("unchecked")
        public <T> T activate(Class<T> type) {
            return (T) "wrong";
        }
    }

    @Test
    void found_methods_are_remembered() throws Exception {
        Invocation self = new Invocation(SLIPS, "self()", "[]");
        run(invoker.resolve(self));
        int before = loaded.size();
        run(invoker.resolve(self));
        assertSame(before, loaded.size());
    }
}
