package dev.treadle.example.slip;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Who works for the company. Thread-safe. */
interface EmployeeDirectory {
    /** Everybody's id, in order. */
    List<Long> ids() throws SQLException;

    /** One employee. */
    Optional<Employee> find(long id) throws SQLException;

    /** Makes the company that large: employees 1 to {@code headcount}. */
    void fill(int headcount) throws SQLException;
}
