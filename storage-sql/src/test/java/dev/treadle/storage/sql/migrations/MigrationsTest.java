package dev.treadle.storage.sql.migrations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.job.NodeId;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import dev.treadle.storage.sql.SqlStorageSettings.Schema;
import dev.treadle.storage.sql.session.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Dialect.class)
class MigrationsTest {
    private static final String NAME = "V001__tables";
    /** Enough that some collide. */
    private static final int AT_ONCE = 8;

    private final Dialect dialect;
    private final Migrations migrations;
    private final HikariDataSource database;

    MigrationsTest(Dialect dialect) {
        this.dialect = dialect;
        this.migrations = EmptyDatabases.migrations(dialect);
        this.database = EmptyDatabases.of(dialect);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void applying_makes_the_tables_and_applying_again_changes_nothing() throws SQLException {
        apply();
        apply();

        validate();
        assertEquals(List.of(), SqlStorageProvider.using(database).claim(new NodeId(1), 10));
    }

    @RepeatedTest(3)
    void several_processes_may_apply_at_once() throws Exception {
        CyclicBarrier start = new CyclicBarrier(AT_ONCE);
        List<FutureTask<Boolean>> all = Stream.generate(() -> new FutureTask<>(() -> {
                    // each has a pool of its own, as processes have
                    try (HikariDataSource own = EmptyDatabases.pool(database.getJdbcUrl());
                            Connection connection = own.getConnection()) {
                        start.await(30, TimeUnit.SECONDS);
                        migrations.apply(connection, own);
                        return true;
                    }
                }))
                .limit(AT_ONCE)
                .toList();
        all.forEach(one -> new Thread(one, "migration").start());
        for (FutureTask<Boolean> one : all) {
            assertTrue(one.get(60, TimeUnit.SECONDS));
        }

        validate();
    }

    @Test
    void an_empty_database_is_told_from_a_valid_one_with_what_to_do() {
        String message =
                assertThrows(IllegalStateException.class, this::validate).getMessage();

        assertTrue(message.startsWith("Treadle's tables are not there"), message);
        assertTrue(message.contains("SqlStorageProvider.schemaScript(Dialect." + dialect + ")"), message);
        assertTrue(message.contains("Schema.MIGRATE"), message);
        assertEquals(
                message,
                assertThrows(
                                IllegalStateException.class,
                                () -> SqlStorageProvider.using(
                                        database, SqlStorageSettings.DEFAULT.withSchema(Schema.VALIDATE)))
                        .getMessage());
    }

    @Test
    void a_missing_migration_is_named_with_what_to_do() throws SQLException {
        apply();
        EmptyDatabases.execute(database, "delete from treadle_schema");

        String message =
                assertThrows(IllegalStateException.class, this::validate).getMessage();

        assertTrue(message.contains("are missing: [" + NAME), message);
        assertTrue(message.contains("Schema.MIGRATE"), message);
    }

    @Test
    void a_migration_that_was_applied_from_another_text_is_refused() throws SQLException {
        apply();
        EmptyDatabases.execute(database, "update treadle_schema set checksum = 1 where name = '" + NAME + "'");

        for (var attempt : List.of(refusalOfValidate(), refusalOfApply())) {
            assertTrue(attempt.contains("The migration " + NAME + " was applied from another text"), attempt);
            String right = attempt.replaceAll(".*treadle_schema to (\\d+)\\.$", "$1");
            EmptyDatabases.execute(
                    database, "update treadle_schema set checksum = " + right + " where name = '" + NAME + "'");
            validate();
            EmptyDatabases.execute(database, "update treadle_schema set checksum = 1 where name = '" + NAME + "'");
        }
    }

    @Test
    void a_migration_of_a_newer_release_is_refused() throws SQLException {
        apply();
        EmptyDatabases.execute(
                database,
                "insert into treadle_schema (name, checksum, applied_at) values ('V999__later', 1, current_timestamp)");

        for (var attempt : List.of(refusalOfValidate(), refusalOfApply())) {
            assertTrue(attempt.contains("V999__later") && attempt.contains("Upgrade this application"), attempt);
        }
    }

    @Test
    void a_migration_of_a_newer_release_that_says_it_is_compatible_is_none_of_our_business() throws SQLException {
        apply();
        EmptyDatabases.execute(
                database,
                "insert into treadle_schema (name, checksum, applied_at, compatible)"
                        + " values ('V999__later', 1, current_timestamp, true)");

        validate();
        apply();
    }

    @Test
    void a_step_of_a_later_release_is_applied_to_the_tables_of_an_earlier_one() throws SQLException {
        apply();
        Migration later = new Migration(
                "V002__later", "-- compatible\nalter table treadle_job add column if not exists later integer;\n");
        Migrations next = EmptyDatabases.migrations(
                dialect,
                SchemaName.OF_CONNECTION,
                Stream.concat(Migration.all(dialect.name()).stream(), Stream.of(later))
                        .toList());
        assertEquals(
                "These migrations of Treadle's tables are missing: [V002__later]",
                assertThrows(IllegalStateException.class, () -> validate(next))
                        .getMessage()
                        .split("\\. ")[0]);

        try (Connection connection = database.getConnection()) {
            next.apply(connection, database);
        }

        validate(next);
        validate();
        EmptyDatabases.execute(database, "alter table treadle_job drop column later");
        String message =
                assertThrows(IllegalStateException.class, () -> validate(next)).getMessage();
        assertTrue(
                message.startsWith("The table treadle_job is not Treadle's, or was changed by hand: it lacks [later]."),
                message);
    }

    @Test
    void a_table_of_somebody_else_is_refused_before_anything_is_made() throws SQLException {
        EmptyDatabases.execute(database, "create table treadle_job (id integer, type integer)");

        for (String message : List.of(refusalOfApply(), refusalOfValidate())) {
            assertTrue(
                    message.startsWith("The table treadle_job is not Treadle's, or was changed by hand: it lacks ["
                            + "created_at, method, arguments, priority, traits]. Give Treadle a schema of its own"),
                    message);
        }
        EmptyDatabases.execute(database, "create table treadle_schema (version integer)");
        for (String message : List.of(refusalOfApply(), refusalOfValidate())) {
            assertTrue(message.startsWith("The table treadle_schema is not Treadle's"), message);
        }
        EmptyDatabases.execute(database, "drop table treadle_schema");
        EmptyDatabases.execute(database, "drop table treadle_job");
        apply();
        validate();
    }

    @Test
    void a_table_or_column_that_is_missing_is_named() throws SQLException {
        apply();
        EmptyDatabases.execute(database, "alter table treadle_lease drop column claimed_at");
        for (String message : List.of(refusalOfApply(), refusalOfValidate())) {
            assertTrue(
                    message.startsWith("The table treadle_lease is not Treadle's, or was changed by hand: it lacks"
                            + " [claimed_at]."),
                    message);
        }
        EmptyDatabases.execute(database, "drop table treadle_lease");
        for (String message : List.of(refusalOfApply(), refusalOfValidate())) {
            assertTrue(
                    message.startsWith(
                            "The table treadle_lease is missing, although treadle_schema says that V001__tables"
                                    + " was applied."),
                    message);
        }
    }

    @Test
    void an_index_that_is_missing_is_named_with_the_statement_that_makes_it() throws SQLException {
        apply();
        EmptyDatabases.execute(
                database,
                "drop index treadle_deferred_due" + (dialect.name().equals("MARIADB") ? " on treadle_deferred" : ""));

        String message = refusalOfValidate();

        assertTrue(message.startsWith("Indexes of Treadle's tables are missing"), message);
        String statement = message.replaceAll("(?s).*Make them: (.*);$", "$1");
        assertTrue(statement.startsWith("create index if not exists treadle_deferred_due on "), statement);
        EmptyDatabases.execute(database, statement);
        validate();
    }

    @Test
    void tables_may_be_in_a_schema_that_is_made_for_them() throws SQLException {
        EmptyDatabases.dropSchemas(dialect, database, "own_one", "own_two");
        Migrations own = EmptyDatabases.migrations(dialect, new SchemaName("own_one"), Migration.all(dialect.name()));
        try (Connection connection = database.getConnection()) {
            own.apply(connection, database);
            own.apply(connection, database);
            own.validate(connection);
        }

        String elsewhere =
                assertThrows(IllegalStateException.class, this::validate).getMessage();
        assertTrue(elsewhere.startsWith("Treadle's tables are not there."), elsewhere);
        EmptyDatabases.execute(database, SqlStorageProvider.schemaScript(dialect, "own_two"));
        SqlStorageProvider.using(
                        database,
                        SqlStorageSettings.DEFAULT.withSchema(Schema.VALIDATE).withSchemaName("own_two"))
                .close();
    }

    @Test
    void the_script_does_on_an_empty_database_what_the_storage_would_do() throws SQLException {
        EmptyDatabases.execute(database, SqlStorageProvider.schemaScript(dialect));

        validate();
        apply();
        assertEquals(
                List.of(),
                SqlStorageProvider.using(database, SqlStorageSettings.DEFAULT.withSchema(Schema.VALIDATE))
                        .claim(new NodeId(1), 10));
    }

    private void apply() throws SQLException {
        try (Connection connection = database.getConnection()) {
            migrations.apply(connection, database);
        }
    }

    private void validate() throws SQLException {
        validate(migrations);
    }

    private void validate(Migrations those) throws SQLException {
        try (Connection connection = database.getConnection()) {
            those.validate(connection);
        }
    }

    private String refusalOfApply() {
        return assertThrows(IllegalStateException.class, this::apply).getMessage();
    }

    private String refusalOfValidate() {
        return assertThrows(IllegalStateException.class, this::validate).getMessage();
    }
}
