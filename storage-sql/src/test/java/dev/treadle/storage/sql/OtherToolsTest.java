package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.SqlStorageSettings.Schema;
import dev.treadle.storage.sql.migrations.Migration;
import dev.treadle.storage.sql.migrations.Migrations;
import dev.treadle.storage.sql.session.SchemaName;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import liquibase.Liquibase;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.DirectoryResourceAccessor;
import liquibase.resource.ResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Flyway and Liquibase make the tables from the files in the jar, and the storage only checks them. */
@ParameterizedClass
@EnumSource(Dialect.class)
class OtherToolsTest {
    /** A step of a later release. */
    private static final Migration LATER = new Migration(
            "V002__later", "-- compatible\nalter table treadle_job add column if not exists later integer;\n");

    @TempDir
    Path folder;

    private final Dialect dialect;
    private final HikariDataSource database;

    OtherToolsTest(Dialect dialect) {
        this.dialect = dialect;
        this.database = EmptyDatabases.of(dialect);
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** The tools, used as docs/postgresql.md says. */
    private enum Tool {
        FLYWAY {
            @Override
            void migrate(HikariDataSource database, String dialect, Path folder) {
                String location = folder == null
                        ? "classpath:META-INF/treadle/flyway/" + dialect
                        : "filesystem:" + folder.resolve("flyway").resolve(dialect);
                Flyway.configure()
                        .dataSource(database)
                        .locations(location)
                        .table("treadle_flyway_history")
                        .baselineOnMigrate(true)
                        .baselineVersion("0")
                        .load()
                        .migrate();
            }
        },

        LIQUIBASE {
            @Override
            void migrate(HikariDataSource database, String dialect, Path folder) throws Exception {
                String file = "liquibase/" + dialect + ".sql";
                ResourceAccessor files =
                        folder == null ? new ClassLoaderResourceAccessor() : new DirectoryResourceAccessor(folder);
                try (Connection connection = database.getConnection()) {
                    new Liquibase(
                                    (folder == null ? "META-INF/treadle/" : "") + file,
                                    files,
                                    DatabaseFactory.getInstance()
                                            .findCorrectDatabaseImplementation(new JdbcConnection(connection)))
                            .update("");
                }
            }
        };

        /** @param folder where the files are; null for those in the jar */
        abstract void migrate(HikariDataSource database, String dialect, Path folder) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void make_tables_on_which_the_storage_works_and_change_nothing_the_second_time(Tool tool) throws Exception {
        EmptyDatabases.execute(database, "create table orders (id integer)");

        tool.migrate(database, dialect.folder(), null);
        tool.migrate(database, dialect.folder(), null);

        works();
    }

    @ParameterizedTest
    @EnumSource
    void go_on_where_the_storage_made_the_tables_itself(Tool tool) throws Exception {
        SqlStorageProvider.using(database).close();

        tool.migrate(database, dialect.folder(), null);

        works();
    }

    @ParameterizedTest
    @EnumSource
    void apply_what_a_later_release_brings_to_the_tables_of_an_earlier_one(Tool tool) throws Exception {
        List<Migration> both = Stream.concat(Migration.all(dialect.name()).stream(), Stream.of(LATER))
                .toList();
        Migrations next = EmptyDatabases.migrations(dialect, SchemaName.OF_CONNECTION, both);
        SchemaFiles.write(folder, dialect, EmptyDatabases.migrations(dialect));
        tool.migrate(database, dialect.folder(), folder);
        String missing =
                assertThrows(IllegalStateException.class, () -> validate(next)).getMessage();
        assertTrue(missing.contains("are missing: [V002__later]"), missing);

        SchemaFiles.write(folder, dialect, next);
        tool.migrate(database, dialect.folder(), folder);

        validate(next);
        works();
    }

    private void validate(Migrations migrations) throws SQLException {
        try (Connection connection = database.getConnection()) {
            migrations.validate(connection);
        }
    }

    /** Only checks the tables, and a job goes in and out. */
    private void works() {
        SqlStorageProvider storage =
                SqlStorageProvider.using(database, SqlStorageSettings.DEFAULT.withSchema(Schema.VALIDATE));
        JobId id = JobId.of(UUID.randomUUID());
        storage.insert(List.of(new NewJob(id, new Invocation("com.acme.A", null, "{}"), Due.NOW, JobTraits.DEFAULT)));
        assertEquals(
                List.of(id),
                storage.claim(new NodeId(1), Lane.DEFAULT, 10).stream()
                        .map(lease -> lease.job().id())
                        .toList());
    }
}
