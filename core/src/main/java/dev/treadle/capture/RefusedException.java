package dev.treadle.capture;

import org.jspecify.annotations.Nullable;

/** Why something cannot be captured and what to write instead; the place is added where it is known. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String instead;

    /** Goes on after "it". */
    RefusedException(String what, String instead) {
        this(what, instead, null);
    }

    RefusedException(String what, String instead, @Nullable Throwable cause) {
        super(what, cause);
        this.instead = instead;
    }

    String instead() {
        return instead;
    }
}
