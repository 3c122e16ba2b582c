package dev.treadle.example.slip;

import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Employees in a table of the same database that keeps the jobs, as in most applications. */
final class SqlEmployees implements EmployeeDirectory {
    private static final String TABLE = "create table if not exists employee ("
            + "id bigint primary key, name varchar(200) not null, department varchar(20) not null,"
            + " role varchar(200) not null, monthly_gross numeric(12, 2) not null, tax_class varchar(10) not null,"
            + " account varchar(40) not null, hired date not null)";
    private static final String COLUMNS = "id, name, department, role, monthly_gross, tax_class, account, hired";
    private static final int BATCH = 500;

    private final DataSource dataSource;

    SqlEmployees(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public List<Long> ids() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement select = connection.createStatement();
                ResultSet rows = select.executeQuery("select id from employee order by id")) {
            List<Long> ids = new ArrayList<>();
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
            return ids;
        }
    }

    @Override
    public Optional<Employee> find(long id) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select =
                        connection.prepareStatement("select " + COLUMNS + " from employee where id = ?")) {
            select.setLong(1, id);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? Optional.of(employee(row)) : Optional.empty();
            }
        }
    }

    private static Employee employee(ResultSet row) throws SQLException {
        return new Employee(
                row.getLong(1),
                row.getString(2),
                Department.valueOf(row.getString(3)),
                row.getString(4),
                row.getBigDecimal(5),
                TaxClass.valueOf(row.getString(6)),
                new Account(row.getString(7)),
                row.getDate(8).toLocalDate());
    }

    @Override
    public void fill(int headcount) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement ddl = connection.createStatement()) {
                ddl.execute(TABLE);
                ddl.execute("delete from employee");
            }
            try (PreparedStatement insert = connection.prepareStatement(
                    "insert into employee (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?)")) {
                for (int id = 1; id <= headcount; id++) {
                    set(insert, Employee.generated(id));
                    insert.addBatch();
                    if (id % BATCH == 0 || id == headcount) {
                        insert.executeBatch();
                    }
                }
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private static void set(PreparedStatement insert, Employee employee) throws SQLException {
        insert.setLong(1, employee.id());
        insert.setString(2, employee.name());
        insert.setString(3, employee.department().name());
        insert.setString(4, employee.role());
        insert.setBigDecimal(5, employee.monthlyGross());
        insert.setString(6, employee.taxClass().name());
        insert.setString(7, employee.account().value());
        insert.setDate(8, Date.valueOf(employee.hired()));
    }
}
