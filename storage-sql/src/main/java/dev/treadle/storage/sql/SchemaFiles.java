package dev.treadle.storage.sql;

import dev.treadle.storage.sql.migrations.Migrations;
import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.SqlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Writes the steps to the present tables as files for Flyway and Liquibase. Run while this module is built, so that they come
 * from the same text as what the storage applies itself, and are in its jar.
 */
final class SchemaFiles {
    private SchemaFiles() {}

    /** @param arguments the folder to write to */
    public static void main(String[] arguments) throws IOException {
        for (Dialect dialect : Dialect.values()) {
            write(Path.of(arguments[0]), dialect, OpenedDatabase.migrations(dialect, SchemaName.OF_CONNECTION));
        }
    }

    static void write(Path folder, Dialect dialect, Migrations migrations) throws IOException {
        Path flyway = Files.createDirectories(folder.resolve("flyway").resolve(dialect.folder()));
        StringBuilder changes = new StringBuilder("--liquibase formatted sql\n");
        for (Map.Entry<String, String> step : migrations.scripts().entrySet()) {
            Files.writeString(flyway.resolve(step.getKey() + ".sql"), step.getValue());
            // why without comments: Liquibase looks for its own words in them
            changes.append("\n--changeset treadle:")
                    .append(step.getKey())
                    .append('\n')
                    .append(SqlText.withoutComments(step.getValue()))
                    .append('\n');
        }
        Path liquibase = Files.createDirectories(folder.resolve("liquibase"));
        Files.writeString(liquibase.resolve(dialect.folder() + ".sql"), changes);
    }
}
