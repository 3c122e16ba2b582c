package dev.treadle.dispatch;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Shares a scarce resource among several accounts in proportion to their weights, so that none starves. This is stride
 * scheduling (Waldspurger and Weihl, 1995): each account pays for what it gets, more the lower its weight, and the account
 * that has paid least is next. An account that was idle starts level with the one that has paid least; it saves up no
 * credit. Used by one thread at a time.
 */
final class FairOrder {
    /** The price of one job for a weight of 1. */
    private static final long PRICE = 1_000_000;

    /** What the account that came last had paid before its turn. */
    private long level;

    /** The account that is next; null if none is waiting. */
    @Nullable
    Account next(Collection<Account> waiting) {
        Account least = null;
        for (Account one : waiting) {
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

    /** What one participant has paid. */
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
