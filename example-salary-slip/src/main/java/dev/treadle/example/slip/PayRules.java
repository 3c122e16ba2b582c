package dev.treadle.example.slip;

import static java.math.RoundingMode.HALF_UP;

import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;

/**
 * What the company pays and takes off: simplified, and the law of no country.
 *
 * <p>Every row is rounded to the cent, and only rounded rows are added up.
 */
final class PayRules {

    private static final BigDecimal HOURS_PER_DAY = BigDecimal.valueOf(8);
    private static final BigDecimal OVERTIME_FACTOR = new BigDecimal("1.25");
    private static final BigDecimal MEAL_PER_DAY = new BigDecimal("4.50");
    private static final BigDecimal PENSION_PERCENT = new BigDecimal("9.30");
    private static final BigDecimal HEALTH_PERCENT = new BigDecimal("7.90");
    private static final BigDecimal UNEMPLOYMENT_PERCENT = new BigDecimal("1.30");
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    private PayRules() {}

    /** Monday to Friday at eight hours. */
    static BigDecimal standardHours(YearMonth period) {
        return HOURS_PER_DAY.multiply(BigDecimal.valueOf(workingDays(period)));
    }

    /** The 25th, or the Friday before when that is a weekend. */
    static LocalDate payDate(YearMonth period) {
        LocalDate date = period.atDay(25);
        while (isWeekend(date)) {
            date = date.minusDays(1);
        }
        return date;
    }

    /** The base salary, less the hours that are missing, plus overtime and a meal allowance for every full day. */
    static List<SlipLine> earnings(Employee employee, YearMonth period, BigDecimal hours) {
        BigDecimal standard = standardHours(period);
        BigDecimal gross = employee.monthlyGross();
        BigDecimal missing = standard.subtract(hours).max(BigDecimal.ZERO);
        BigDecimal hourly = gross.divide(standard, 2, HALF_UP);
        BigDecimal absence = missing.multiply(hourly).setScale(2, HALF_UP).min(gross);

        BigDecimal overtime = hours.subtract(standard).max(BigDecimal.ZERO);
        BigDecimal overtimeHourly = gross.multiply(OVERTIME_FACTOR).divide(standard, 2, HALF_UP);

        BigDecimal days = hours.divideToIntegralValue(HOURS_PER_DAY).min(BigDecimal.valueOf(workingDays(period)));
        return List.of(
                new SlipLine(SlipLine.Kind.BASE_SALARY, BigDecimal.ONE, gross, gross),
                new SlipLine(SlipLine.Kind.ABSENCE, missing, hourly, absence.negate()),
                times(SlipLine.Kind.OVERTIME, overtime, overtimeHourly),
                times(SlipLine.Kind.MEAL_ALLOWANCE, days, MEAL_PER_DAY));
    }

    /** Social contributions on the pay without the meal allowance, then income tax on what they leave. */
    static List<SlipLine> deductions(Employee employee, List<SlipLine> earnings) {
        BigDecimal pay = sum(earnings.stream()
                .filter(line -> line.kind() != SlipLine.Kind.MEAL_ALLOWANCE)
                .toList());
        List<SlipLine> lines = new ArrayList<>(List.of(
                percent(SlipLine.Kind.PENSION, pay, PENSION_PERCENT),
                percent(SlipLine.Kind.HEALTH, pay, HEALTH_PERCENT),
                percent(SlipLine.Kind.UNEMPLOYMENT, pay, UNEMPLOYMENT_PERCENT)));
        BigDecimal taxable = pay.subtract(sum(lines));
        BigDecimal tax = employee.taxClass().taxOn(taxable);
        lines.add(new SlipLine(SlipLine.Kind.INCOME_TAX, taxable, average(tax, taxable), tax));
        return List.copyOf(lines);
    }

    static BigDecimal sum(List<SlipLine> lines) {
        return lines.stream().map(SlipLine::amount).reduce(BigDecimal.ZERO.setScale(2), BigDecimal::add);
    }

    private static SlipLine times(SlipLine.Kind kind, BigDecimal basis, BigDecimal rate) {
        return new SlipLine(kind, basis, rate, basis.multiply(rate).setScale(2, HALF_UP));
    }

    private static SlipLine percent(SlipLine.Kind kind, BigDecimal basis, BigDecimal rate) {
        return new SlipLine(kind, basis, rate, basis.multiply(rate).divide(HUNDRED, 2, HALF_UP));
    }

    private static BigDecimal average(BigDecimal part, BigDecimal whole) {
        return whole.signum() == 0 ? BigDecimal.ZERO : part.multiply(HUNDRED).divide(whole, 2, HALF_UP);
    }

    private static long workingDays(YearMonth period) {
        return period.atDay(1)
                .datesUntil(period.plusMonths(1).atDay(1))
                .filter(day -> !isWeekend(day))
                .count();
    }

    private static boolean isWeekend(LocalDate day) {
        return day.getDayOfWeek() == DayOfWeek.SATURDAY || day.getDayOfWeek() == DayOfWeek.SUNDAY;
    }
}
