package dev.treadle.payload;

/** The value read back differs from the one written. */
final class NotTheSameException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Difference difference;

    NotTheSameException(Difference difference) {
        super(difference.text());
        this.difference = difference;
    }

    /** How to avoid it. */
    String cure() {
        return difference.cure();
    }
}
