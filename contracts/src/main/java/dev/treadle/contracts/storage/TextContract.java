package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.Failure;
import dev.treadle.job.JobState;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every storage must do with text: keep it to the letter. Extend it, hand over an empty storage, and it runs. */
public abstract class TextContract extends StorageContract {
    /** For subclasses. */
    protected TextContract() {}

    @Test
    final void arguments_are_kept_to_the_letter() {
        for (String arguments : Texts.ARGUMENTS) {
            assertEquals(
                    arguments,
                    claimed(jobs.withArguments(arguments)).job().invocation().arguments());
        }
    }

    @Test
    final void long_names_are_kept() {
        String type = "com.acme." + "Long".repeat(73);
        String method = "m(" + "java.lang.String,".repeat(17) + "java.lang.Über)";

        assertEquals(
                type, claimed(jobs.calling(type, null, "{}")).job().invocation().target());
        assertEquals(
                type + "#" + method,
                claimed(jobs.calling(type, method, "[]")).job().invocation().target());
    }

    @Test
    final void the_longest_and_strangest_text_of_a_failure_is_kept() {
        for (String letter : List.of("x", "漢", "\uD83D\uDE80", Texts.AWKWARD, "\0", "\uD83D")) {
            Failure why = new Failure(letter.repeat(300), letter.repeat(2_000), letter.repeat(9_000));
            Lease failed = claimed();
            Lease retried = claimed();

            assertWritten(AttemptEnd.failed(failed, Endings.RAN, why));
            assertWritten(AttemptEnd.retried(retried, Endings.RAN, why, Jobs.LONG));

            assertEquals(why, stateOf(failed.job().id(), JobState.Failed.class).failure());
            assertEquals(
                    why,
                    Stories.of(storage, retried.job().id()).history().get(0).why());
        }
    }
}
