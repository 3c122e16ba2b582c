package dev.treadle.testing;

import static dev.treadle.testing.TreadleAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TreadleAssertionsTest {
    private final TreadleTest test = TreadleTest.with(
            treadle -> treadle.handler(Mail.class, (mail, job) -> mail.to().length()));

    record Mail(String to) implements JobRequest<Void> {}

    record Letter(String to) implements JobRequest<Void> {}

    /** What lambdas call. */
    public static final class Printer {
        /** Does nothing. */
        public void print(String text) {}
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void what_is_enqueued_can_be_asserted_step_by_step() {
        Printer printer = new Printer();
        JobId id = test.jobs().enqueue(new Mail("ada"));
        test.jobs()
                .with(JobOptions.DEFAULT.withQueue("slow").withLabels("night"))
                .schedule(Duration.ofHours(3), new Mail("bob"));
        test.jobs().enqueue(printer::print, "text");

        assertThat(test)
                .notEnqueued(Letter.class)
                .enqueuedCall(Printer.class, "print")
                .hasState(StateName.ENQUEUED, id)
                .hasNoFailures();
        assertThat(test).enqueued(Mail.class).times(2);
        assertThat(test).enqueued(Mail.class).with(new Mail("ada")).once().dueNow();
        assertThat(test)
                .enqueued(Mail.class)
                .with("to bob", mail -> mail.to().equals("bob"))
                .onQueue("slow")
                .labelled("night")
                .dueIn(Duration.ofHours(3))
                .dueAt(test.now().plus(Duration.ofHours(3)))
                .once();
        assertThat(test).enqueued(Mail.class).requests().extracting(Mail::to).containsExactly("ada", "bob");
    }

    @Test
    void failures_list_what_was_enqueued_instead() {
        assertEquals(
                "No Mail is enqueued. There are no jobs.",
                failure(() -> assertThat(test).enqueued(Mail.class)));
        assertThat(test).nothingEnqueued();
        test.jobs().enqueue(new Letter("ada"));
        test.jobs().schedule(Duration.ofHours(3), new Mail("bob"));

        String listed = "Jobs:\n  ENQUEUED " + Letter.class.getName() + " {\"to\":\"ada\"}\n  SCHEDULED "
                + Mail.class.getName() + " {\"to\":\"bob\"} at 2026-01-01T03:00:00Z";
        assertEquals(
                "Expected 2 enqueued Mail, found 1. " + listed,
                failure(() -> assertThat(test).enqueued(Mail.class).times(2)));
        assertEquals(
                "None of the 1 enqueued Mail is equal to Mail[to=ada]: [Mail[to=bob]]. " + listed,
                failure(() -> assertThat(test).enqueued(Mail.class).with(new Mail("ada"))));
        assertEquals(
                "None of the 1 enqueued Mail is due now: [Mail[to=bob]]. " + listed,
                failure(() -> assertThat(test).enqueued(Mail.class).dueNow()));
        assertEquals(
                "None of the 1 enqueued Mail is on the queue slow: [Mail[to=bob]]. " + listed,
                failure(() -> assertThat(test).enqueued(Mail.class).onQueue("slow")));
        assertEquals(
                "None of the 1 enqueued Mail is with the label night: [Mail[to=bob]]. " + listed,
                failure(() -> assertThat(test).enqueued(Mail.class).labelled("night")));
        assertEquals(
                "None of the 1 enqueued Mail is matching: [Mail[to=bob]]. " + listed,
                failure(() -> assertThat(test).enqueued(Mail.class).with(mail -> false)));
        assertEquals(
                "Expected no enqueued Letter, found 1. " + listed,
                failure(() -> assertThat(test).notEnqueued(Letter.class)));
        assertTrue(failure(() -> assertThat(test).nothingEnqueued()).contains("found 2."));
        assertTrue(failure(() -> assertThat(test).enqueuedCall(Printer.class, "print"))
                .contains("No call of Printer#print is enqueued."));
    }

    private static String failure(Runnable assertion) {
        return assertThrows(AssertionError.class, assertion::run).getMessage();
    }
}
