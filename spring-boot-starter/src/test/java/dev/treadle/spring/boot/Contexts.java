package dev.treadle.spring.boot;

import java.util.UUID;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/** Applications that are nothing but auto-configuration. */
final class Contexts {
    private Contexts() {}

    /** With Treadle and a DataSource, as in an application, on a new H2 in memory. */
    static ApplicationContextRunner withDatabase() {
        return plain().withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                        "spring.datasource.username=sa");
    }

    /** The same for the web. */
    static WebApplicationContextRunner web() {
        return new WebApplicationContextRunner()
                .withConfiguration(auto())
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                        "spring.datasource.username=sa");
    }

    /** Without a database. */
    static ApplicationContextRunner plain() {
        return new ApplicationContextRunner().withConfiguration(auto());
    }

    private static AutoConfigurations auto() {
        return AutoConfigurations.of(
                TreadleStorageAutoConfiguration.class,
                TreadleAutoConfiguration.class,
                TreadleServerAutoConfiguration.class,
                // it has another package in each line of Spring Boot
                type("DataSourceAutoConfiguration"),
                type("DataSourceTransactionManagerAutoConfiguration"),
                type("JdbcTemplateAutoConfiguration"));
    }

    private static Class<?> type(String name) {
        for (String place : new String[] {
            "org.springframework.boot.jdbc.autoconfigure.", "org.springframework.boot.autoconfigure.jdbc."
        }) {
            try {
                return Class.forName(place + name);
            } catch (ClassNotFoundException e) {
                // the other one
                continue;
            }
        }
        throw new IllegalStateException(name + " is in no package that is known");
    }
}
