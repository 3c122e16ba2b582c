package dev.treadle.payload;

import dev.treadle.job.JobResult;
import java.io.StringWriter;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * What jobs return to JSON text and back, as the type the reader names and never one the text names. Writing never
 * fails: a value that cannot be kept becomes a reason why, because the job has done its work. Thread-safe.
 */
public final class JsonResults {
    private final int bytesMax;

    /** @param bytesMax largest result, in bytes of UTF-8; 0 keeps none */
    public JsonResults(int bytesMax) {
        if (bytesMax < 0 || bytesMax > JsonArguments.ARGUMENT_BYTES_CEILING) {
            throw new IllegalArgumentException("The largest result of a job may be from 0 (keep none) to "
                    + JsonArguments.ARGUMENT_BYTES_CEILING + " bytes, not " + bytesMax + ".");
        }
        this.bytesMax = bytesMax;
    }

    /** What is to be kept of a value; null if nothing is. */
    public @Nullable JobResult write(@Nullable Object value) {
        if (value == null || bytesMax == 0) {
            return null;
        }
        Bounded text = new Bounded(bytesMax);
        try {
            Mapper.shared().writeValue(text, value);
            String json = Utf8.withoutLoneSurrogates(text.toString());
            return Utf8.length(json) <= bytesMax ? JobResult.of(json) : tooLarge();
        } catch (RuntimeException e) {
            return text.isFull() ? tooLarge() : unwritable(value, Reason.of(e));
        } catch (StackOverflowError e) {
            return unwritable(value, "it goes round in a circle");
        }
    }

    private JobResult tooLarge() {
        return JobResult.notKept("The result takes more than " + bytesMax
                + " bytes as JSON, and no more are kept. Store the data yourself and return its id.");
    }

    private static JobResult unwritable(Object value, String why) {
        return JobResult.notKept("The result, a " + value.getClass().getName() + ", cannot be stored as JSON: " + why
                + ". Return a record of plain data, or nothing.");
    }

    /**
     * The value that a text stands for.
     *
     * @throws UnreadableArgumentsException if it is none of that type
     */
    public <T> T read(String text, Type type) {
        try {
            return Mapper.shared()
                    .readerFor(Mapper.shared().constructType(type))
                    .readValue(text);
        } catch (RuntimeException e) {
            throw new UnreadableArgumentsException(
                    "The result cannot be read as " + type.getTypeName() + ": " + Reason.of(e)
                            + ". Read it as the type that the job returned.",
                    e);
        }
    }

    /** Takes no more text than can be kept, so that a huge value is not written out for nothing. */
    private static final class Bounded extends StringWriter {
        private final int charsMax;
        private boolean full;

        Bounded(int charsMax) {
            this.charsMax = charsMax;
        }

        @Override
        public void write(int c) {
            demandRoom(1);
            super.write(c);
        }

        @Override
        public void write(char[] text, int from, int length) {
            demandRoom(length);
            super.write(text, from, length);
        }

        @Override
        public void write(String text) {
            demandRoom(text.length());
            super.write(text);
        }

        @Override
        public void write(String text, int from, int length) {
            demandRoom(length);
            super.write(text, from, length);
        }

        private void demandRoom(int length) {
            if (getBuffer().length() + length > charsMax) {
                full = true;
                throw new IllegalStateException("too large");
            }
        }

        boolean isFull() {
            return full;
        }
    }
}
