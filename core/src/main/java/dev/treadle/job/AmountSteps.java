package dev.treadle.job;

/**
 * Rounds the amounts of resources that stored jobs use. Each different amount needs a lane of its own, and a storage
 * keeps a limited number of lanes for good, so amounts computed for each job are rounded up to one of 120.
 */
final class AmountSteps {
    /**
     * Amounts up to this are not rounded: few resources have more permits, and a job that asks for half of them must
     * get half.
     */
    static final int EXACT_MAX = 64;
    /**
     * Above that, so many amounts are used from each power of two to the next, so that rounding adds less than a
     * quarter.
     */
    static final int PER_OCTAVE = 4;

    private AmountSteps() {}

    /** The smallest amount in use that is not less than this one. */
    static int up(int amount) {
        if (amount <= EXACT_MAX) {
            return amount;
        }
        int step = Integer.highestOneBit(amount - 1) / PER_OCTAVE;
        return Math.min((amount + step - 1) / step * step, JobTraits.AMOUNT_MAX);
    }
}
