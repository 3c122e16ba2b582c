package dev.treadle.payload;

import dev.treadle.job.JobResult;
import java.io.StringWriter;
import java.lang.reflect.Type;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes results as JSON and reads them back as the type that the reader names, never as one that the text names.
 * Writing never fails, because the job has done its work: a value that cannot be stored becomes the reason for that.
 * Thread-safe.
 */
public final class JsonResults {
    private final int bytesMax;
    private final PlainJson plain = new PlainJson();
    private final Binding binding = new Binding();

    /** @param bytesMax largest result, in bytes of UTF-8; 0 keeps none */
    public JsonResults(int bytesMax) {
        if (bytesMax < 0 || bytesMax > JsonArguments.ARGUMENT_BYTES_CEILING) {
            throw new IllegalArgumentException("The largest result of a job may be from 0 (keep none) to "
                    + JsonArguments.ARGUMENT_BYTES_CEILING + " bytes, not " + bytesMax + ".");
        }
        this.bytesMax = bytesMax;
    }

    /**
     * The part of a value to keep; null if nothing is. Kept is what comes back the same, as what the code of the job
     * declares or as the value's own class.
     *
     * @param declared what the job says that it returns; called only if the value leaves it open
     */
    public @Nullable JobResult write(@Nullable Object value, Supplier<Type> declared) {
        if (value == null || bytesMax == 0) {
            return null;
        }
        try {
            String written = plain.writeRequest(value);
            return written == null ? bound(value, declared.get()) : kept(written, bytesMax);
        } catch (TooLargeException e) {
            return tooLarge(bytesMax);
        } catch (RuntimeException e) {
            return unwritable(value, Reason.of(e), Reason.cure(e, "", " Return a record of plain data, or nothing."));
        } catch (StackOverflowError e) {
            return unwritable(value, "it goes round in a circle", " Return a record of plain data, or nothing.");
        }
    }

    /**
     * What a step returned, which has to come back: kept only as this type, and also where results of jobs are not kept.
     */
    public JobResult writeAs(Object value, Type type) {
        int most = bytesMax == 0 ? JobResult.RESULT_BYTES_MAX : bytesMax;
        try {
            String written = type == value.getClass() ? plain.writeRequest(value) : null;
            return written == null ? proven(value, type, most) : kept(written, most);
        } catch (TooLargeException e) {
            return tooLarge(most);
        } catch (RuntimeException e) {
            return unwritable(value, Reason.of(e), Reason.cure(e, "", " Return a record of plain data, or nothing."));
        } catch (StackOverflowError e) {
            return unwritable(value, "it goes round in a circle", " Return a record of plain data, or nothing.");
        }
    }

    private JobResult bound(Object value, Type declared) {
        try {
            return proven(value, declared, bytesMax);
        } catch (TooLargeException e) {
            throw e;
        } catch (RuntimeException e) {
            if (declared == value.getClass()) {
                throw e;
            }
            try {
                return proven(value, value.getClass(), bytesMax);
            } catch (RuntimeException alsoNot) {
                throw e;
            }
        }
    }

    private JobResult proven(Object value, Type type, int most) {
        Bounded text = new Bounded(most);
        try {
            binding.write(text, type, value);
        } catch (RuntimeException e) {
            throw text.isFull() ? new TooLargeException() : e;
        }
        JobResult kept = kept(text.toString(), most);
        if (kept.json() != null) {
            binding.prove(kept.json(), type, value);
        }
        return kept;
    }

    private static JobResult kept(String text, int most) {
        String json = Utf8.withoutLoneSurrogates(text);
        return Utf8.length(json) <= most ? JobResult.of(json) : tooLarge(most);
    }

    private static JobResult tooLarge(int most) {
        return JobResult.notKept("The result takes more than " + most
                + " bytes as JSON, and no more are kept. Store the data yourself and return its id.");
    }

    private static JobResult unwritable(Object value, String why, String cure) {
        return JobResult.notKept(
                "The result, a " + value.getClass().getName() + ", cannot be stored as JSON: " + why + "." + cure);
    }

    /**
     * Reads the value from its text.
     *
     * @throws UnreadableArgumentsException if the text holds no value of that type
     */
    public <T> T read(String text, Type type) {
        try {
            Object read = type instanceof Class<?> c ? plain.readRequest(text, c) : null;
            @SuppressWarnings("unchecked")
            T value = (T) (read == null ? binding.read(text, type) : read);
            return value;
        } catch (RuntimeException e) {
            throw new UnreadableArgumentsException(
                    "The result cannot be read as " + type.getTypeName() + ": " + Reason.of(e)
                            + ". Read it as the type that the job returned.",
                    e);
        }
    }

    private static final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Stops at the size limit, so that a huge value is not written in full and then dropped. */
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
                throw new TooLargeException();
            }
        }

        boolean isFull() {
            return full;
        }
    }
}
