package dev.treadle.dashboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.treadle.Treadle;
import dev.treadle.job.Failure;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobType;
import dev.treadle.job.JobTypes;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.Secret;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the code of a job marks as secret is not shown, however the text is cut off. */
class MarksTest {
    private final Redactor redactor = new Redactor(List.of(), MarksTest.class.getClassLoader());

    record Account(@Secret String number, String bank) {}

    record Receipt(String id, @Secret String hash) {}

    record Pay(
            long employee,
            @Secret @JsonProperty("note_text") String note,
            List<Map<String, Account>> to,
            Account[] more)
            implements JobRequest<Receipt> {}

    static class Old implements JobRequest<Void> {
        @Secret
        String field = "";

        String plain = "";

        @Secret
        String getLetter() {
            return plain;
        }
    }

    interface Mailer {
        void send(String to, @Secret String body, Account account);
    }

    @JobType(value = "pay.card", formerly = "com.acme.PayCard")
    record PayCard(@Secret String note) implements JobRequest<Void> {}

    @Test
    void marks_are_found_under_every_name_that_a_job_may_be_stored_under() {
        try (Treadle treadle = Treadle.on(new InMemoryStorageProvider())
                .types(JobTypes.of(PayCard.class))
                .enqueueOnly()) {
            Redactor named = new Redactor(List.of(), MarksTest.class.getClassLoader(), treadle.jobs()::resolve);
            for (String name : List.of("pay.card", "com.acme.PayCard", PayCard.class.getName())) {
                assertEquals("{\"note\":\"•••\"}", named.of(name, null).arguments("{\"note\":\"canary\"}"), name);
            }
        }
    }

    @Test
    void fields_are_hidden_at_any_depth_of_what_a_request_takes_and_returns() {
        Redactor pay = redactor.of(Pay.class.getName(), null);
        String shown = pay.arguments("{\"employee\":7,\"note_text\":\"canary\",\"to\":[{\"a\":{\"number\":\"canary\","
                + "\"bank\":\"b\"}}],\"more\":[{\"number\":[\"canary\"]}]}");
        assertEquals(
                "{\"employee\":7,\"note_text\":\"•••\",\"to\":[{\"a\":{\"number\":\"•••\",\"bank\":\"b\"}}],"
                        + "\"more\":[{\"number\":\"•••\"}]}",
                shown);
        assertEquals("{\"id\":\"1\",\"hash\":\"•••\"}", pay.result("{\"id\":\"1\",\"hash\":\"canary\"}"));
        assertEquals("no account with number=•••, try again", pay.text("no account with number=canary, try again"));
        assertEquals("{\"number\":1}", redactor.arguments("{\"number\":1}"), "of another job");
    }

    record Grid(Account[][] cells) implements JobRequest<Void> {}

    abstract static class Order<R> implements JobRequest<R> {}

    static class Refund extends Order<Receipt> {}

    abstract static class Paid implements JobRequest<Receipt> {}

    static class Bill extends Paid {}

    interface Payment extends JobRequest<List<Receipt>> {}

    record Wire(int amount) implements Payment {}

    interface Named {
        @Secret
        String alias();
    }

    record Alias(String alias) implements Named, JobRequest<Void> {}

    record Tree<T extends Comparable<T>>(T value, List<Tree<T>> more, Account account) implements JobRequest<Void> {}

    @Test
    void arrays_of_arrays_hide_what_is_in_them() {
        assertEquals(
                "{\"cells\":[[{\"number\":\"•••\"}]]}",
                redactor.of(Grid.class.getName(), null).arguments("{\"cells\":[[{\"number\":\"canary\"}]]}"));
    }

    @Test
    void what_a_request_returns_is_known_whichever_type_above_it_says_so() {
        for (Class<?> type : List.of(Refund.class, Bill.class, Wire.class)) {
            assertEquals(
                    "{\"id\":\"1\",\"hash\":\"•••\"}",
                    redactor.of(type.getName(), null).result("{\"id\":\"1\",\"hash\":\"canary\"}"),
                    type.getName());
        }
        assertEquals(
                "{\"alias\":\"•••\"}", redactor.of(Alias.class.getName(), null).arguments("{\"alias\":\"canary\"}"));
        assertEquals(
                "{\"number\":\"•••\"}",
                redactor.of(Tree.class.getName(), null).arguments("{\"number\":\"canary\"}"),
                "a type that is about itself");
    }

    @Test
    void fields_and_getters_of_classes_are_hidden() {
        Redactor old = redactor.of(Old.class.getName(), null);
        assertEquals(
                "{\"field\":\"•••\",\"plain\":\"x\",\"letter\":\"•••\"}",
                old.arguments("{\"field\":\"canary\",\"plain\":\"x\",\"letter\":\"canary\"}"));
    }

    @Test
    void a_parameter_is_hidden_by_its_position_and_what_it_returns_is_not() {
        Redactor mail = redactor.of(Mailer.class.getName() + "#send(java.lang.String,java.lang.String,"
                + Account.class.getTypeName() + ")");
        assertEquals(
                "[\"ada\",\"•••\",{\"number\":\"•••\",\"bank\":\"b\"}]",
                mail.arguments("[\"ada\",\"canary\",{\"number\":\"canary\",\"bank\":\"b\"}]"));
        assertEquals("[1,2]", mail.result("[1,2]"));
    }

    @Test
    void the_values_of_a_job_are_masked_wherever_they_stand_in_its_texts() {
        Redactor pay = redactor.of(new Invocation(
                Pay.class.getName(),
                null,
                "{\"employee\":7,\"note_text\":\"a \\\"canary\\\" & b\",\"to\":[{\"a\":{\"number\":[12345678,\"Zebra-1\"],"
                        + "\"bank\":\"Zebra bank\"}}],\"more\":[{\"number\":\"abc\",\"bank\":\"b\"}]}"));
        assertEquals("No such account •••", pay.text("No such account Zebra-1"));
        assertEquals("no such account •••!", pay.text("no such account ZEBRA-1!"));
        assertEquals("sent ••• or •••", pay.text("sent a \"canary\" & b or a+%22canary%22+%26+b"));
        assertEquals("answer {\"x\":\"•••\"}", pay.text("answer {\"x\":\"a \\\"canary\\\" & b\"}"));
        assertEquals("<account>•••</account>", pay.text("<account>12345678</account>"));
        assertEquals("Zebra bank, abc", pay.text("Zebra bank, abc"), "not marked, and too short");
        assertEquals(
                "[\"•••\",\"•••\",7,{\"•••\":\"x •••\"}]",
                pay.result("[\"Zebra-1\",12345678,7,{\"Zebra-1\":\"x Zebra-1\"}]"));
        assertEquals("•••", pay.word("Zebra-1"));
        assertEquals("Zebra-1", redactor.of(Pay.class.getName(), null).text("Zebra-1"), "of another job");
    }

    @Test
    void a_parameter_is_masked_in_its_texts_too_and_so_is_what_a_shortened_text_has_left_of_it() {
        String body = "the body of the letter, which is long";
        Redactor mail = redactor.of(new Invocation(
                Mailer.class.getName(),
                "send(java.lang.String,java.lang.String," + Account.class.getTypeName() + ")",
                "[\"ada\",\"" + body + "\",{\"number\":{\"deep\":[\"Zebra-1\"]},\"bank\":\"b\"}]"));
        assertEquals("could not send ••• to ada of •••", mail.text("could not send " + body + " to ada of zebra-1"));
        String trace = Failure.because("", "x".repeat(Failure.MESSAGE_CHARS_MAX - 25) + body)
                .message();
        assertFalse(mail.text(trace).contains("the body"), mail.text(trace));
        assertTrue(mail.text(trace).endsWith("••• … (cut)"), mail.text(trace));
        assertEquals("a ••• … (cut)••• b", mail.text("a the body of … (cut)letter, which is long b"));
    }

    @Test
    void of_a_job_that_is_gone_nothing_is_shown_for_nobody_knows_what_was_secret() {
        InMemoryStorageProvider storage = new InMemoryStorageProvider();
        JobRedactors redactors = new JobRedactors(storage.queries(), redactor);
        try (Treadle treadle = Treadle.on(storage).enqueueOnly()) {
            JobId id = treadle.jobs().enqueue(new Wire(7));
            JobId gone = treadle.jobs().enqueue(new Wire(8));
            storage.act(JobAction.DELETE, new OperatorNote("ada", null), List.of(gone), null);
            assertEquals("plain text", redactors.of(id).text("plain text"));
            assertEquals("•••", redactors.of(gone).text("No such account Zebra-1\nat x"));
        }
    }

    @Test
    void an_excerpt_hides_them_wherever_it_was_cut_off() {
        String whole =
                "[\"ada \\u0022 x\",{\"canary\":[\"canary\",\"]\"]},{\"bank\":\"b\",\"number\":\"canary\",\"z\":[1]}]";
        Redactor mail = redactor.of(Mailer.class.getName() + "#send(java.lang.String,java.lang.String,"
                + Account.class.getTypeName() + ")");
        for (int cut = 0; cut <= whole.length(); cut++) {
            String shown = mail.arguments(whole.substring(0, cut));
            assertFalse(shown.contains("cana"), cut + ": " + shown);
        }
        assertTrue(mail.arguments(whole).contains("\"bank\":\"b\""), mail.arguments(whole));
    }

    @Test
    void code_that_is_not_here_marks_nothing_and_breaks_nothing() {
        for (String type : List.of("no.such.Type", "", "[I", "int", "../x", "java.lang.String")) {
            assertEquals("{\"a\":1}", redactor.of(type, null).arguments("{\"a\":1}"));
            assertEquals("[1]", redactor.of(type, "no(int)").arguments("[1]"));
        }
    }
}
