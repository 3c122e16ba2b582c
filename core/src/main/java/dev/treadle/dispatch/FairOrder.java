package dev.treadle.dispatch;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is among several who want more than there is: each gets a share in proportion to its weight, and nobody
 * waits for ever. Stride scheduling (Waldspurger and Weihl, 1995): everybody pays for what it gets, the dearer the less
 * it weighs, and who has paid least is next. Who was away begins with those who are least ahead, and saves up nothing.
 * Used by one thread at a time.
 */
final class FairOrder {
    /** The price of one job for a weight of 1. */
    private static final long PRICE = 1_000_000;

    /** What the one whose turn it was last had paid before. */
    private long level;

    /** Whose turn it is; null if nobody wants anything. */
    @Nullable
    Account next(Collection<Account> wanting) {
        Account least = null;
        for (Account one : wanting) {
            one.paid = Math.max(one.paid, level);
            if (least == null || one.paid < least.paid) {
                least = one;
            }
        }
        if (least != null) {
            level = least.paid;
        }
        return least;
    }

    /** What one of those who want has paid. */
    static final class Account {
        private final int weight;
        private long paid;

        Account(int weight) {
            this.weight = weight;
        }

        int weight() {
            return weight;
        }

        void pay(int jobs) {
            paid += jobs * (PRICE / weight);
        }
    }
}
