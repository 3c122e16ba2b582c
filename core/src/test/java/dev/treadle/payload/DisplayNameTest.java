package dev.treadle.payload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobTraits;
import org.junit.jupiter.api.Test;

class DisplayNameTest {
    private final DisplayName names = new DisplayName(type -> DisplayNameTest.class.getClassLoader());

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
