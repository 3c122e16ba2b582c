package dev.treadle.example.slip;

import static dev.treadle.example.slip.SampleSlips.MARCH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.YearMonth;
import org.junit.jupiter.api.Test;

class SalarySlipTest {

    @Test
    void a_standard_month_pays_the_monthly_gross_and_a_meal_for_each_day() {
        SalarySlip slip = SampleSlips.of("4400.00", TaxClass.A, "176");

        assertEquals(euros("4400.00"), slip.line(SlipLine.Kind.BASE_SALARY).amount());
        assertEquals(euros("0.00"), slip.line(SlipLine.Kind.ABSENCE).amount());
        assertEquals(euros("0.00"), slip.line(SlipLine.Kind.OVERTIME).amount());
        assertEquals(euros("99.00"), slip.line(SlipLine.Kind.MEAL_ALLOWANCE).amount());
        assertEquals(euros("4499.00"), slip.gross());
    }

    @Test
    void deductions_follow_the_rates_and_net_is_the_rest() {
        SalarySlip slip = SampleSlips.of("4400.00", TaxClass.A, "176");

        assertEquals(euros("409.20"), slip.line(SlipLine.Kind.PENSION).amount());
        assertEquals(euros("347.60"), slip.line(SlipLine.Kind.HEALTH).amount());
        assertEquals(euros("57.20"), slip.line(SlipLine.Kind.UNEMPLOYMENT).amount());
        // Taxable 3,586.00, of which 1,050 are free: 1,500 at 20 % and 1,036 at 32 %.
        assertEquals(euros("631.52"), slip.line(SlipLine.Kind.INCOME_TAX).amount());
        assertEquals(euros("1445.52"), slip.totalDeductions());
        assertEquals(euros("3053.48"), slip.net());
    }

    @Test
    void hours_above_standard_are_paid_at_125_percent() {
        SalarySlip slip = SampleSlips.of("4400.00", TaxClass.A, "180.50");

        // 25.00 an hour, so 31.25 in overtime.
        assertEquals(euros("140.63"), slip.line(SlipLine.Kind.OVERTIME).amount());
        assertEquals(euros("99.00"), slip.line(SlipLine.Kind.MEAL_ALLOWANCE).amount());
    }

    @Test
    void missing_hours_are_taken_off_at_the_hourly_rate() {
        SalarySlip slip = SampleSlips.of("4400.00", TaxClass.A, "170");

        assertEquals(euros("-150.00"), slip.line(SlipLine.Kind.ABSENCE).amount());
        assertEquals(euros("94.50"), slip.line(SlipLine.Kind.MEAL_ALLOWANCE).amount());
    }

    @Test
    void a_month_without_work_pays_nothing_and_takes_nothing() {
        SalarySlip slip = SampleSlips.of("4475.00", TaxClass.A, "0");

        assertEquals(euros("0.00"), slip.gross());
        assertEquals(euros("0.00"), slip.net());
    }

    @Test
    void the_highest_band_starts_4000_euros_above_the_free_amount() {
        assertEquals(euros("0.00"), TaxClass.B.taxOn(euros("1480.00")));
        assertEquals(euros("1100.00"), TaxClass.B.taxOn(euros("5480.00")));
        assertEquals(euros("1142.00"), TaxClass.B.taxOn(euros("5580.00")));
    }

    @Test
    void rows_add_up_to_the_cent_for_every_employee_and_any_hours() {
        for (long id = 1; id <= Employee.HEADCOUNT; id++) {
            BigDecimal hours = BigDecimal.valueOf(id * 37 % 25_000, 2);
            SalarySlip slip = SalarySlip.of(Employee.generated(id), MARCH, hours);

            BigDecimal earned = BigDecimal.ZERO;
            for (SlipLine line : slip.earnings()) {
                earned = earned.add(line.amount());
            }
            BigDecimal takenOff = BigDecimal.ZERO;
            for (SlipLine line : slip.deductions()) {
                takenOff = takenOff.add(line.amount());
                assertTrue(line.amount().signum() >= 0, line::toString);
            }
            assertEquals(earned, slip.gross());
            assertEquals(takenOff, slip.totalDeductions());
            assertEquals(slip.gross(), slip.net().add(slip.totalDeductions()));
            assertEquals(2, slip.net().scale());
            assertTrue(slip.net().signum() >= 0, slip::reference);
        }
    }

    @Test
    void standard_hours_follow_the_calendar() {
        assertEquals(BigDecimal.valueOf(160), SalarySlip.standardHours(YearMonth.of(2026, 2)));
        assertEquals(BigDecimal.valueOf(176), SalarySlip.standardHours(MARCH));
    }

    @Test
    void pay_day_is_the_25th_or_the_friday_before() {
        assertEquals(
                LocalDate.of(2026, 3, 25),
                SampleSlips.of("4400.00", TaxClass.A, "176").payDate());
        assertEquals(LocalDate.of(2026, 1, 23), PayRules.payDate(YearMonth.of(2026, 1)));
        assertEquals(LocalDate.of(2026, 4, 24), PayRules.payDate(YearMonth.of(2026, 4)));
    }

    @Test
    void hours_out_of_range_are_refused_with_the_range() {
        var refused =
                assertThrows(IllegalArgumentException.class, () -> SampleSlips.of("4400.00", TaxClass.A, "744.01"));

        assertEquals("hours worked must be 0..744, was 744.01", refused.getMessage());
        assertThrows(IllegalArgumentException.class, () -> SampleSlips.of("4400.00", TaxClass.A, "-1"));
    }

    private static BigDecimal euros(String amount) {
        return new BigDecimal(amount);
    }
}
