package dev.treadle.example.slip;

import static dev.treadle.example.slip.SlipLine.Kind.ABSENCE;
import static dev.treadle.example.slip.SlipLine.Kind.BASE_SALARY;
import static dev.treadle.example.slip.SlipLine.Kind.HEALTH;
import static dev.treadle.example.slip.SlipLine.Kind.INCOME_TAX;
import static dev.treadle.example.slip.SlipLine.Kind.MEAL_ALLOWANCE;
import static dev.treadle.example.slip.SlipLine.Kind.OVERTIME;
import static dev.treadle.example.slip.SlipLine.Kind.PENSION;
import static dev.treadle.example.slip.SlipLine.Kind.UNEMPLOYMENT;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A gap in the Word template, written there as <code>${name}</code>, and what goes into it.
 *
 * <p>Every constant occurs in the template at least once, and the template has no others: a test checks both.
 */
enum Placeholder {
    NAME("employee.name", slip -> slip.employee().name()),
    NUMBER("employee.number", slip -> slip.employee().number()),
    DEPARTMENT("employee.department", slip -> slip.employee().department().printed()),
    ROLE("employee.role", slip -> slip.employee().role()),
    HIRED("employee.hired", slip -> Printed.date(slip.employee().hired())),
    TAX_CLASS("employee.tax-class", slip -> slip.employee().taxClass().printed()),
    ACCOUNT("employee.account", slip -> slip.employee().account().printed()),
    PERIOD("period", slip -> Printed.month(slip.period())),
    PAY_DATE("pay-date", slip -> Printed.date(slip.payDate())),
    REFERENCE("reference", SalarySlip::reference),
    STANDARD_HOURS("hours.standard", slip -> Printed.number(SalarySlip.standardHours(slip.period()))),
    HOURS("hours.worked", slip -> Printed.number(slip.hours())),
    BASE_MONTHS("base.months", basis(BASE_SALARY)),
    BASE_RATE("base.rate", rate(BASE_SALARY)),
    BASE_AMOUNT("base.amount", amount(BASE_SALARY)),
    ABSENCE_HOURS("absence.hours", basis(ABSENCE)),
    ABSENCE_RATE("absence.rate", rate(ABSENCE)),
    ABSENCE_AMOUNT("absence.amount", amount(ABSENCE)),
    OVERTIME_HOURS("overtime.hours", basis(OVERTIME)),
    OVERTIME_RATE("overtime.rate", rate(OVERTIME)),
    OVERTIME_AMOUNT("overtime.amount", amount(OVERTIME)),
    MEAL_DAYS("meal.days", basis(MEAL_ALLOWANCE)),
    MEAL_RATE("meal.rate", rate(MEAL_ALLOWANCE)),
    MEAL_AMOUNT("meal.amount", amount(MEAL_ALLOWANCE)),
    GROSS("gross", slip -> Printed.number(slip.gross())),
    PENSION_BASIS("pension.basis", basis(PENSION)),
    PENSION_RATE("pension.rate", rate(PENSION)),
    PENSION_AMOUNT("pension.amount", amount(PENSION)),
    HEALTH_BASIS("health.basis", basis(HEALTH)),
    HEALTH_RATE("health.rate", rate(HEALTH)),
    HEALTH_AMOUNT("health.amount", amount(HEALTH)),
    UNEMPLOYMENT_BASIS("unemployment.basis", basis(UNEMPLOYMENT)),
    UNEMPLOYMENT_RATE("unemployment.rate", rate(UNEMPLOYMENT)),
    UNEMPLOYMENT_AMOUNT("unemployment.amount", amount(UNEMPLOYMENT)),
    TAX_BASIS("tax.basis", basis(INCOME_TAX)),
    TAX_RATE("tax.rate", rate(INCOME_TAX)),
    TAX_AMOUNT("tax.amount", amount(INCOME_TAX)),
    DEDUCTIONS("deductions", slip -> Printed.number(slip.totalDeductions())),
    NET("net", slip -> Printed.number(slip.net()));

    private static final Map<String, Placeholder> BY_KEY =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Placeholder::key, p -> p));

    private final String key;
    private final Function<SalarySlip, String> value;

    Placeholder(String key, Function<SalarySlip, String> value) {
        this.key = key;
        this.value = value;
    }

    static Optional<Placeholder> named(String key) {
        return Optional.ofNullable(BY_KEY.get(key));
    }

    /** What stands between the braces. */
    String key() {
        return key;
    }

    /** What the reader of this slip sees, not yet escaped for any format. */
    String valueIn(SalarySlip slip) {
        return value.apply(slip);
    }

    private static Function<SalarySlip, String> basis(SlipLine.Kind kind) {
        return slip -> Printed.number(slip.line(kind).basis());
    }

    private static Function<SalarySlip, String> rate(SlipLine.Kind kind) {
        return slip -> Printed.number(slip.line(kind).rate());
    }

    private static Function<SalarySlip, String> amount(SlipLine.Kind kind) {
        return slip -> Printed.number(slip.line(kind).amount());
    }
}
