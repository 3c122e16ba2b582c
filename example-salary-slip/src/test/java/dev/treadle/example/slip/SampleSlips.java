package dev.treadle.example.slip;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.YearMonth;

/** Slips as tests want them. */
final class SampleSlips {

    static final YearMonth MARCH = YearMonth.of(2026, 3);

    private SampleSlips() {}

    /** A generated employee's March, with hours around the standard. */
    static SalarySlip march(long id) {
        return SalarySlip.of(Employee.generated(id), MARCH, BigDecimal.valueOf(15_000 + id * 331 % 4_000, 2));
    }

    static SalarySlip of(String gross, TaxClass taxClass, String hours) {
        return SalarySlip.of(employee("Ada Muster", gross, taxClass), MARCH, new BigDecimal(hours));
    }

    static SalarySlip named(String name) {
        return SalarySlip.of(employee(name, "4400.00", TaxClass.C), MARCH, new BigDecimal("176"));
    }

    private static Employee employee(String name, String gross, TaxClass taxClass) {
        return new Employee(
                7,
                name,
                Department.IT,
                "Software developer",
                new BigDecimal(gross),
                taxClass,
                Account.atDemoBank(7),
                LocalDate.of(2020, 2, 1));
    }
}
