package dev.treadle.example.slip;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.Locale;

/**
 * Someone who works for the made-up company.
 *
 * @param id 1 or more; the company of the example has {@value #HEADCOUNT} employees
 * @param monthlyGross for the standard hours of a month, in euros and cents
 */
record Employee(
        long id,
        String name,
        Department department,
        String role,
        BigDecimal monthlyGross,
        TaxClass taxClass,
        Account account,
        LocalDate hired) {

    /** How many people work for the company of the example: their ids are 1 to this. */
    static final int HEADCOUNT = 2_000;

    Employee {
        if (id < 1) {
            throw new IllegalArgumentException("employee id must be 1 or more, was " + id);
        }
        if (name.isBlank()) {
            throw new IllegalArgumentException("employee " + id + " has a blank name");
        }
        if (monthlyGross.signum() <= 0) {
            throw new IllegalArgumentException("monthly gross must be above 0, was " + monthlyGross);
        }
        monthlyGross = monthlyGross.setScale(2, RoundingMode.HALF_UP);
    }

    /** The employee with this id: the same one every time, on every machine. */
    static Employee generated(long id) {
        return EmployeeGenerator.employee(id);
    }

    /** The number the company knows this employee by. */
    String number() {
        return number(id);
    }

    /** The number of the employee with this id. */
    static String number(long id) {
        return String.format(Locale.ROOT, "VW-%05d", id);
    }

    /** Where the slip is sent, in a domain that can never exist. */
    String email() {
        return number().toLowerCase(Locale.ROOT) + "@" + Company.DOMAIN;
    }
}
