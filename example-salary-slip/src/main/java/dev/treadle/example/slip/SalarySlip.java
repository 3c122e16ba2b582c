package dev.treadle.example.slip;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.List;
import java.util.Locale;

/**
 * What one employee earned in one month, row by row.
 *
 * <p>Pure: the same employee, month and hours give an equal slip.
 *
 * @param hours worked in the period, to a hundredth
 */
record SalarySlip(
        Employee employee, YearMonth period, BigDecimal hours, List<SlipLine> earnings, List<SlipLine> deductions) {

    /** The most hours a month can have; more on a time sheet is a mistake. */
    static final int HOURS_MAX = 31 * 24;

    SalarySlip {
        earnings = List.copyOf(earnings);
        deductions = List.copyOf(deductions);
    }

    /**
     * Calculates the slip.
     *
     * @throws IllegalArgumentException when the hours are below 0 or above {@value #HOURS_MAX}
     */
    static SalarySlip of(Employee employee, YearMonth period, BigDecimal hours) {
        if (hours.signum() < 0 || hours.compareTo(BigDecimal.valueOf(HOURS_MAX)) > 0) {
            throw new IllegalArgumentException("hours worked must be 0.." + HOURS_MAX + ", was " + hours);
        }
        BigDecimal worked = hours.setScale(2, RoundingMode.HALF_UP);
        List<SlipLine> earnings = PayRules.earnings(employee, period, worked);
        return new SalarySlip(employee, period, worked, earnings, PayRules.deductions(employee, earnings));
    }

    /** The hours that a full-time month has: Monday to Friday at eight hours. */
    static BigDecimal standardHours(YearMonth period) {
        return PayRules.standardHours(period);
    }

    /** All earnings, before anything is taken off. */
    BigDecimal gross() {
        return PayRules.sum(earnings);
    }

    BigDecimal totalDeductions() {
        return PayRules.sum(deductions);
    }

    /** What is paid out. */
    BigDecimal net() {
        return gross().subtract(totalDeductions());
    }

    LocalDate payDate() {
        return PayRules.payDate(period);
    }

    /** The name of this slip in files, mails and bank statements: employee number and month. */
    String reference() {
        return reference(employee.id(), period);
    }

    /** The name of the slip of one employee for one month. */
    static String reference(long employeeId, YearMonth period) {
        return Employee.number(employeeId) + "-" + period;
    }

    /** The row of this kind. */
    SlipLine line(SlipLine.Kind kind) {
        for (List<SlipLine> table : List.of(earnings, deductions)) {
            for (SlipLine line : table) {
                if (line.kind() == kind) {
                    return line;
                }
            }
        }
        throw new IllegalStateException(
                "slip " + reference() + " has no row " + kind.name().toLowerCase(Locale.ROOT));
    }
}
