package dev.treadle.payload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobTraits;
import org.junit.jupiter.api.Test;

class DisplayNameTest {
    private final DisplayName names = new DisplayName(type -> DisplayNameTest.class.getClassLoader());

    public record Pay(String account, Inner inner, java.util.List<Long> many) {}

    public record Inner(@dev.treadle.job.Secret String pin, double rate, Inner deeper) {}

    @Test
    void parts_are_shown_as_they_are_without_what_is_marked_at_any_depth() {
        String json =
                "{\"account\":\"a\\\"b\",\"inner\":{\"pin\":[{\"x\":1}],\"rate\":1.50,\"deeper\":{\"pin\":\"0\",\"rate\":1E3}},\"many\":[1,2]}";
        Invocation pay = new Invocation(Pay.class.getName(), null, json);

        assertEquals(
                "a\"b {\"pin\":\"•••\",\"rate\":1.50,\"deeper\":{\"pin\":\"•••\",\"rate\":1E3}} [1,2] {no}",
                names.filledIn(JobTraits.DEFAULT.withName("{account} {inner} {many} {no}"), pay)
                        .name());
    }

    @Test
    void arguments_of_code_that_is_not_here_are_not_shown_since_its_marks_cannot_be_seen() {
        JobTraits traits = JobTraits.DEFAULT.withName("Pay {account} {other}");
        Invocation gone = new Invocation("no.such.Pay", null, "{\"account\":\"canary\"}");

        assertEquals("Pay ••• {other}", names.filledIn(traits, gone).name());
        assertEquals(
                "Pay 7",
                names.filledIn(
                                JobTraits.DEFAULT.withName("Pay {0}"),
                                new Invocation("java.lang.Math", "abs(int)", "[7]"))
                        .name());
    }
}
