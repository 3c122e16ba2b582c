package dev.treadle.example.slip;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * How much of a month's pay is free of income tax.
 *
 * <p>Made up for this example: above the free amount, bands of 20, 32 and 42 percent.
 */
enum TaxClass {
    A("A (single)", 1_050),
    B("B (single parent)", 1_480),
    C("C (married)", 1_920);

    private static final BigDecimal FIRST_BAND = BigDecimal.valueOf(1_500);
    private static final BigDecimal SECOND_BAND = BigDecimal.valueOf(2_500);

    private final String printed;
    private final BigDecimal freeAmount;

    TaxClass(String printed, long freeEuros) {
        this.printed = printed;
        this.freeAmount = BigDecimal.valueOf(freeEuros);
    }

    String printed() {
        return printed;
    }

    /** The income tax on one month's taxable pay, in euros and cents. */
    BigDecimal taxOn(BigDecimal taxable) {
        BigDecimal rest = taxable.subtract(freeAmount).max(BigDecimal.ZERO);
        BigDecimal first = rest.min(FIRST_BAND);
        BigDecimal second = rest.subtract(first).min(SECOND_BAND);
        BigDecimal third = rest.subtract(first).subtract(second);
        return first.multiply(new BigDecimal("0.20"))
                .add(second.multiply(new BigDecimal("0.32")))
                .add(third.multiply(new BigDecimal("0.42")))
                .setScale(2, RoundingMode.HALF_UP);
    }
}
