package dev.treadle.schedule;

/** A field of a cron expression that is wrong, before it is known in which expression. */
final class BadFieldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadFieldException(String why) {
        super(why);
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
