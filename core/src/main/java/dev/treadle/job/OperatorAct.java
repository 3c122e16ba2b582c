package dev.treadle.job;

/**
 * What an operator does, as an audit row will tell it.
 *
 * @param action what
 * @param move   who and why
 * @param target what it was aimed at, for people: an id, or a filter; bounded like a failure's message
 */
public record OperatorAct(String action, OperatorNote move, String target) {
    /** Longest name of an action, in characters. */
    public static final int ACTION_CHARS_MAX = 40;
    /** Longest target, in characters. */
    public static final int TARGET_CHARS_MAX = 1_000;

    /** Bounds the texts. */
    public OperatorAct {
        action = action.substring(0, Math.min(action.length(), ACTION_CHARS_MAX));
        target = Failure.because("", target).message();
    }
}
