package dev.treadle.job;

/**
 * The identity of one running server process; a restarted process is a new node.
 *
 * @param value a positive random number, short because every lease and history row carries it
 */
public record NodeId(long value) {

    @Override
    public String toString() {
        return "node-" + Long.toString(value, Character.MAX_RADIX);
    }
}
