package dev.treadle.invoke;

public final class NotRunnableException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final boolean known;

    public NotRunnableException(String m, boolean k) {
        super(m);
        known = k;
    }

    public boolean isTargetKnown() {
        return known;
    }
}
