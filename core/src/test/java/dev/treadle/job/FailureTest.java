package dev.treadle.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FailureTest {
    private static final String CUT = " … (cut)";

    @Test
    void a_thrown_exception_is_kept_with_its_type_message_and_trace() {
        Failure failure =
                Failure.of(shallow(new IllegalStateException("no paper", shallow(new RuntimeException("no tree")))));

        assertEquals("java.lang.IllegalStateException", failure.type());
        assertEquals("no paper", failure.message());
        assertTrue(failure.trace().contains("FailureTest"), failure.trace());
        assertTrue(failure.trace().contains("Caused by: java.lang.RuntimeException: no tree"), failure.trace());
    }

    @Test
    void an_exception_whose_own_methods_throw_checked_ones_keeps_its_type() {
        Failure failure = Failure.of(new Sneaky());

        assertEquals(Sneaky.class.getName(), failure.type());
        assertEquals("(its getMessage threw java.io.IOException)", failure.message());
        assertEquals("(its printStackTrace threw java.io.IOException)", failure.trace());
    }

    /** As a compiler lets it be written that knows no checked exceptions. */
    private static final class Sneaky extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw Sneaky.<RuntimeException>sneak(new IOException("on purpose"));
        }

        @Override
        public void printStackTrace(PrintWriter writer) {
            throw Sneaky.<RuntimeException>sneak(new IOException("on purpose"));
        }

        @SuppressWarnings("unchecked")
        private static <T extends Throwable> T sneak(Throwable checked) throws T {
            throw (T) checked;
        }
    }

    @Test
    void what_was_not_thrown_has_no_trace_and_a_missing_message_is_empty() {
        assertEquals(new Failure("NodeLost", "silent", ""), Failure.because("NodeLost", "silent"));
        assertEquals("", Failure.of(new RuntimeException()).message());
    }

    @Test
    void each_text_is_kept_whole_up_to_its_bound_and_cut_visibly_beyond() {
        int[] bounds = {Failure.TYPE_CHARS_MAX, Failure.MESSAGE_CHARS_MAX, Failure.TRACE_CHARS_MAX};
        assertEquals(256, bounds[0]);
        assertEquals(1_000, bounds[1]);
        assertEquals(8_000, bounds[2]);
        Failure full = new Failure("t".repeat(bounds[0]), "m".repeat(bounds[1]), "s".repeat(bounds[2]));
        assertEquals("t".repeat(bounds[0]), full.type());
        assertEquals("m".repeat(bounds[1]), full.message());
        assertEquals("s".repeat(bounds[2]), full.trace());

        Failure over = new Failure("t".repeat(bounds[0] + 1), "m".repeat(bounds[1] + 1), "s".repeat(bounds[2] + 1));

        assertEquals("t".repeat(bounds[0] - CUT.length()) + CUT, over.type());
        assertEquals("m".repeat(bounds[1] - CUT.length()) + CUT, over.message());
        // of a trace the end stays, too, because the first cause stands there
        assertEquals("s".repeat(bounds[2] - CUT.length() - 2_000) + CUT + "s".repeat(2_000), over.trace());
    }

    @Test
    void what_no_database_stores_is_replaced_and_nothing_else() {
        assertEquals("a\uFFFDb", Failure.because("x", "a\0b").message());
        assertEquals("a\uFFFDb", Failure.because("x", "a\uD83Db").message(), "the first half of a pair");
        assertEquals("a\uFFFDb", Failure.because("x", "a\uDE00b").message(), "the second half of a pair");
        assertEquals("\uFFFD\uFFFD", Failure.because("x", "\uDE00\uD83D").message(), "both, in the wrong order");
        assertEquals("a😀b\tä\n€", Failure.because("x", "a😀b\tä\n€").message());
        assertEquals("\uFFFD", new Failure("\0", "\0", "\0").type());
        assertEquals("\uFFFD", new Failure("\0", "\0", "\0").trace());
    }

    @Test
    void a_cut_through_a_pair_leaves_no_half_behind() {
        int before = Failure.MESSAGE_CHARS_MAX - CUT.length() - 1;

        String kept = Failure.because("x", "a".repeat(before) + "😀".repeat(10)).message();

        assertEquals("a".repeat(before) + "\uFFFD" + CUT, kept);
    }

    @Test
    void an_exception_that_fights_back_is_kept_all_the_same() {
        Failure failure = Failure.of(new Hostile(new IllegalStateException("ha")));

        assertEquals(Hostile.class.getName(), failure.type());
        assertEquals("(its getMessage threw java.lang.IllegalStateException)", failure.message());
        assertEquals("(its printStackTrace threw java.lang.IllegalStateException)", failure.trace());
    }

    @Test
    void so_is_one_that_fights_back_with_errors() {
        Failure failure = Failure.of(new Hostile(new StackOverflowError()));

        assertEquals("(its getMessage threw java.lang.StackOverflowError)", failure.message());
        assertEquals("(its printStackTrace threw java.lang.StackOverflowError)", failure.trace());
    }

    @Test
    void causes_in_a_circle_end() {
        RuntimeException one = shallow(new RuntimeException("one"));
        one.initCause(shallow(new RuntimeException("other", one)));

        assertTrue(Failure.of(one).trace().contains("CIRCULAR REFERENCE"));
    }

    /** With one line of trace, so that what comes after it is not cut off. */
    private static <T extends Throwable> T shallow(T thrown) {
        thrown.setStackTrace(Arrays.copyOf(thrown.getStackTrace(), 1));
        return thrown;
    }

    /** Throws whatever it is asked. */
    private static final class Hostile extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Throwable weapon;

        Hostile(Throwable weapon) {
            this.weapon = weapon;
        }

        @Override
        public @Nullable String getMessage() {
            throw strike();
        }

        @Override
        public void printStackTrace(PrintWriter writer) {
            throw strike();
        }

        private RuntimeException strike() {
            if (weapon instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) weapon;
        }
    }
}
