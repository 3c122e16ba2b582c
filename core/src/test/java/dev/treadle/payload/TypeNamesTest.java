package dev.treadle.payload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobDefaults;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobType;
import dev.treadle.job.JobTypes;
import dev.treadle.lifecycle.RetentionSettings;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TypeNamesTest {
    private static final String HERE = "dev.treadle.payload.TypeNamesTest$";

    record Plain(int a) implements JobRequest<Void> {}

    @JobType(
            value = "send.v3",
            formerly = {"send", "send.v2"})
    record Send(int a) implements JobRequest<Void> {}

    @JobType("send.v3")
    record Other(int a) implements JobRequest<Void> {}

    @JobType(formerly = HERE + "Plain")
    record Claims(int a) implements JobRequest<Void> {}

    @JobType(value = "claims.too", formerly = HERE + "Plain")
    record ClaimsToo(int a) implements JobRequest<Void> {}

    @JobType("two words")
    record Bad(int a) implements JobRequest<Void> {}

    @JobType(formerly = {"x", "x"})
    record Repeats(int a) implements JobRequest<Void> {}

    @JobDefaults(timeout = "soon")
    record BadDefaults(int a) implements JobRequest<Void> {}

    @JobType("calls")
    static class Calls {
        @JobType(
                value = "run",
                formerly = {"go", "start(int)"})
        void run(long id) {}

        void other() {}
    }

    static class Clash {
        @JobType("one")
        void one() {}

        @JobType("one")
        void two() {}
    }

    private static void refused(Runnable work, String... parts) {
        String message = assertThrows(IllegalArgumentException.class, work::run).getMessage();
        for (String part : parts) {
            assertTrue(message.contains(part), () -> "<" + part + "> is missing in: " + message);
        }
    }

    private static TypeNames of(Class<?>... requests) {
        return TypeNames.of(JobTypes.NONE, List.of(requests));
    }

    @Test
    void without_names_everything_stays_as_it_is() {
        TypeNames names = of(Plain.class);
        Invocation stored = new Invocation(HERE + "Plain", null, "{}");

        assertEquals(HERE + "Plain", names.of(Plain.class));
        assertSame(stored, names.here(stored));
        assertSame(stored, names.hereAndNow(stored));
        assertSame(stored, names.renamed(stored));
        assertEquals(stored.target(), names.identity(stored));
        assertEquals(Set.of(HERE + "Plain"), names.all(HERE + "Plain"));
    }

    @Test
    void a_named_request_is_found_under_all_its_names_and_that_of_its_class() {
        TypeNames names = of(Send.class, Plain.class);

        assertEquals("send.v3", names.of(Send.class));
        for (String name : List.of("send", "send.v2", "send.v3", HERE + "Send")) {
            Invocation stored = new Invocation(name, null, "{}");
            assertEquals(HERE + "Send", names.here(stored).type());
            assertEquals("send.v3", names.renamed(stored).type());
            assertEquals("send", names.identity(stored));
            assertEquals(Set.of("send", "send.v2", "send.v3", HERE + "Send"), names.all(name));
        }
    }

    @Test
    void an_annotated_request_is_known_once_it_is_enqueued() {
        TypeNames names = TypeNames.none();

        assertEquals("send.v3", names.of(Send.class));
        assertEquals(HERE + "Send", names.typeOf("send"));
        refused(() -> names.of(Other.class), "Two classes claim the name 'send.v3'", "$Send", "$Other");
    }

    @Test
    void methods_have_names_of_their_own() throws NoSuchMethodException {
        TypeNames names = TypeNames.of(JobTypes.of(Calls.class), List.of());

        assertEquals("calls", names.ofCalled(Calls.class));
        assertEquals("run", names.ofMethod(Calls.class, "run(long)"));
        assertEquals("other()", names.ofMethod(Calls.class, "other()"));
        for (String stored : List.of("run", "go", "go(long)", "start(int)", "run(long)")) {
            for (String type : List.of("calls", HERE + "Calls")) {
                Invocation call = new Invocation(type, stored, "[1]");
                assertEquals(HERE + "Calls#run(long)", names.here(call).target());
                assertEquals("calls#go", names.identity(call));
            }
        }
        assertEquals(
                HERE + "Calls#other()",
                names.here(new Invocation("calls", "other()", "[]")).target());
    }

    @Test
    void upcasts_lead_from_name_to_name() {
        JobTypes types = JobTypes.of(Calls.class)
                .withUpcast(Send.class, "send", json -> put(json, "first", 1))
                .withUpcast(Send.class, "send.v2", json -> put(json, "second", json.size()))
                .withCallUpcast(Calls.class, "go", arguments -> List.of("changed"));
        TypeNames names = TypeNames.of(types, List.of(Send.class));

        assertEquals("{\"a\":1,\"first\":1,\"second\":2}", arguments(names, "send"));
        assertEquals("{\"a\":1,\"second\":1}", arguments(names, "send.v2"));
        assertEquals("{\"a\":1}", arguments(names, "send.v3"));
        assertEquals("{\"a\":1}", arguments(names, HERE + "Send"));
        assertEquals("[\"changed\"]", call(names, "go"));
        assertEquals("[\"changed\"]", call(names, "go(long)"));
        assertEquals("[1]", call(names, "start(int)"));
        assertEquals("[1]", call(names, "run"));
    }

    private static Map<String, Object> put(Map<String, Object> json, String name, Object value) {
        json.put(name, value);
        return json;
    }

    private static String arguments(TypeNames names, String stored) {
        return names.hereAndNow(new Invocation(stored, null, "{\"a\":1}")).arguments();
    }

    private static String call(TypeNames names, String stored) {
        return names.hereAndNow(new Invocation("calls", stored, "[1]")).arguments();
    }

    @Test
    void an_upcast_sees_and_keeps_every_digit() {
        List<Object> seen = new ArrayList<>();
        JobTypes types = JobTypes.NONE.withUpcast(Send.class, "send", json -> {
            seen.addAll(json.values());
            return json;
        });
        String json =
                "{\"a\":10.00,\"b\":12345678901234567890,\"c\":-7,\"d\":-0.0,\"e\":[null,true,{\"f\":\"\\u00e4\"}]}";
        Invocation stored = new Invocation("send", null, json);

        String kept =
                TypeNames.of(types, List.of(Send.class)).hereAndNow(stored).arguments();

        assertEquals(json.replace("\\u00e4", "ä"), kept);
        assertEquals(
                List.of(new BigDecimal("10.00"), new BigInteger("12345678901234567890"), -7L, -0.0),
                seen.subList(0, 4));
    }

    @Test
    void an_upcast_that_makes_no_json_is_refused_where_the_job_runs() {
        JobTypes types = JobTypes.NONE.withUpcast(Send.class, "send", json -> put(json, "x", new Object()));
        TypeNames names = TypeNames.of(types, List.of(Send.class));

        String message = assertThrows(UnreadableArgumentsException.class, () -> arguments(names, "send"))
                .getMessage();
        assertTrue(message.contains("put a java.lang.Object into the arguments"), message);
    }

    @Test
    void two_classes_with_one_name_are_refused() {
        refused(() -> of(Send.class, Other.class), "Two classes claim the name 'send.v3'", "$Send", "$Other");
        refused(
                () -> of(Plain.class, Claims.class),
                "'" + HERE + "Plain' is a former name of " + HERE + "Claims, and the jobs of " + HERE + "Plain are");
        refused(() -> of(Claims.class, ClaimsToo.class), "is a former name of two classes", "$Claims", "$ClaimsToo");
        TypeNames claims = of(Claims.class);
        refused(() -> claims.of(Plain.class), "'" + HERE + "Plain' is a former name of " + HERE + "Claims");
    }

    @Test
    void what_cannot_be_a_name_is_refused() {
        refused(() -> of(Bad.class), "'two words' cannot be a name of " + HERE + "Bad");
        refused(() -> of(Repeats.class), "The names of " + HERE + "Repeats repeat themselves");
        refused(() -> TypeNames.of(JobTypes.of(Clash.class), List.of()), "Two methods of", "one()", "two()");
        refused(
                () -> TypeNames.of(JobTypes.NONE.withName(Send.class, "s"), List.of()),
                "is named twice, by @JobType and by JobTypes");
        refused(
                () -> TypeNames.of(JobTypes.NONE.withMethodName(Plain.class, "b()", "s"), List.of()),
                "which has no such method");
        refused(
                () -> TypeNames.of(JobTypes.NONE.withUpcast(Send.class, "never", json -> json), List.of()),
                "stored as 'never', which is none of its former names");
        refused(
                () -> TypeNames.of(JobTypes.NONE.withCallUpcast(Calls.class, "never", a -> a), List.of()),
                "stored as 'never', which is a former name of none of its methods");
        refused(() -> of(BadDefaults.class), "@JobDefaults of " + HERE + "BadDefaults", "'soon' is no duration");
    }

    @Test
    void calls_on_an_annotated_class_that_servers_would_not_find_are_refused() {
        refused(() -> TypeNames.none().ofCalled(Calls.class), "types(JobTypes.of(Calls.class))");
    }

    @Test
    void classes_that_cannot_be_annotated_are_named_beside_them() {
        TypeNames names = TypeNames.of(
                JobTypes.NONE
                        .withName(Plain.class, "plain", "com.acme.Plain")
                        .withMethodName(Plain.class, "a()", "first", "old()"),
                List.of());

        assertEquals("plain", names.of(Plain.class));
        assertEquals(
                HERE + "Plain#a()",
                names.here(new Invocation("com.acme.Plain", "old()", "[]")).target());
    }

    @Test
    void ages_of_a_type_count_for_all_its_names() {
        RetentionSettings.Ages none = RetentionSettings.Ages.FOR_EVER.withFailed(Duration.ZERO);
        RetentionSettings settings = RetentionSettings.DEFAULT.withType(Send.class, none);

        Map<String, RetentionSettings.Ages> byType =
                settings.underNames(of(Send.class)::all).byType();

        assertEquals(Set.of("send", "send.v2", "send.v3", HERE + "Send"), byType.keySet());
    }
}
