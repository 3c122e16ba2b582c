package dev.treadle.payload;

/** What was read back is not what was written. */
final class NotTheSameException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Difference difference;

    NotTheSameException(Difference difference) {
        super(difference.text());
        this.difference = difference;
    }

    /** What to do about it. */
    String cure() {
        return difference.cure();
    }
}
