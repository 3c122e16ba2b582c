package dev.treadle.schedule;

/** A field of a cron expression is wrong. Thrown by code that does not know the whole expression. */
final class BadFieldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadFieldException(String why) {
        super(why);
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
