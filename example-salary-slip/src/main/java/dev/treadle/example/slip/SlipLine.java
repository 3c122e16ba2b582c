package dev.treadle.example.slip;

import java.math.BigDecimal;

/**
 * One row of a salary slip.
 *
 * @param basis what the rate applies to: months, hours, days or euros
 * @param rate euros for one month, hour or day, or percent
 * @param amount euros and cents; below zero only in a row of earnings that lowers them
 */
record SlipLine(Kind kind, BigDecimal basis, BigDecimal rate, BigDecimal amount) {

    /** What a row is about; the Word template has one row for each. */
    enum Kind {
        BASE_SALARY,
        ABSENCE,
        OVERTIME,
        MEAL_ALLOWANCE,
        PENSION,
        HEALTH,
        UNEMPLOYMENT,
        INCOME_TAX
    }

    SlipLine {
        if (amount.scale() != 2) {
            throw new IllegalArgumentException(kind + " must be euros and cents, was " + amount);
        }
    }
}
