package dev.treadle.example.slip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EmployeeTest {

    @Test
    void the_same_id_is_always_the_same_employee() {
        for (long id = 1; id <= Employee.HEADCOUNT; id++) {
            assertEquals(Employee.generated(id), Employee.generated(id));
        }
    }

    @Test
    void employee_42_never_changes() {
        assertEquals(
                new Employee(
                        42,
                        "Maja Tóth",
                        Department.WEAVING,
                        "Pattern setter",
                        new BigDecimal("4027.00"),
                        TaxClass.C,
                        new Account("XX22 DEMO 1000 3325 98"),
                        LocalDate.of(2012, 12, 1)),
                Employee.generated(42));
    }

    @Test
    void employees_differ_in_number_account_and_address() {
        for (Function<Employee, Object> unique :
                List.<Function<Employee, Object>>of(Employee::number, Employee::account, Employee::email)) {
            assertEquals(Employee.HEADCOUNT, everyone().map(unique).distinct().count());
        }
    }

    @Test
    void every_department_role_and_tax_class_is_in_use() {
        var employees = everyone().toList();

        assertEquals(7, employees.stream().map(Employee::department).distinct().count());
        assertEquals(21, employees.stream().map(Employee::role).distinct().count());
        assertEquals(3, employees.stream().map(Employee::taxClass).distinct().count());
        assertTrue(employees.stream().map(Employee::name).distinct().count() > 1_000);
    }

    @Test
    void names_have_the_letters_that_break_careless_fonts() {
        String letters = everyone().map(Employee::name).collect(Collectors.joining());

        for (String letter : "é ö ł ø ñ Ł Ș Þ ß đ ş Ž å".split(" ")) {
            assertTrue(letters.contains(letter), letter);
        }
    }

    @Test
    void accounts_have_right_check_digits_and_a_changed_digit_is_noticed() {
        everyone().forEach(employee -> assertTrue(employee.account().isValid(), employee.number()));

        String printed = Employee.generated(1).account().printed();
        assertFalse(new Account(printed.replace("1", "7")).isValid());
        assertFalse(new Account("").isValid());
    }

    @Test
    void an_id_below_one_is_refused() {
        var refused = assertThrows(IllegalArgumentException.class, () -> Employee.generated(0));

        assertEquals("employee id must be 1 or more, was 0", refused.getMessage());
    }

    private static Stream<Employee> everyone() {
        return LongStream.rangeClosed(1, Employee.HEADCOUNT).mapToObj(Employee::generated);
    }
}
