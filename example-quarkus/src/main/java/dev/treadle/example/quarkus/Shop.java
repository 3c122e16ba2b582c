package dev.treadle.example.quarkus;

import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The rows of the shop. Each call takes part in the transaction of its caller. */
@ApplicationScoped
class Shop {
    @Inject
    DataSource database;

    void begin(@Observes @Priority(1) StartupEvent event) {
        write("create table shop_row (what varchar(60), id varchar(60))");
    }

    /** Notes that something has been done. */
    void add(String what, String id) {
        write("insert into shop_row values (?, ?)", what, id);
    }

    /** How often it has been done. */
    int count(String what, String id) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("select count(*) from shop_row where what = ? and id = ?")) {
            statement.setString(1, what);
            statement.setString(2, id);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void write(String sql, String... values) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
