package dev.treadle.storage.sql.migrations;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The tables of a schema that have names of ours, with their columns; all names are in lower case. */
record PresentTables(Map<String, Set<String>> columns) {
    boolean has(String table) {
        return columns.containsKey(table);
    }

    /**
     * Refuses a table that has the name of one of ours and is not ours.
     *
     * @throws IllegalStateException naming the table and the columns that it lacks
     */
    void mustBeOurs(String table, Set<String> expected) {
        Set<String> lacking = new LinkedHashSet<>(expected);
        lacking.removeAll(columns.getOrDefault(table, expected));
        if (!lacking.isEmpty()) {
            throw new IllegalStateException(
                    "The table " + table + " is not Treadle's, or was changed by hand: it lacks "
                            + lacking
                            + ". Give Treadle a schema of its own with SqlStorageSettings.withSchemaName(\"treadle\"),"
                            + " or rename that table.");
        }
    }

    /**
     * Refuses tables that a migration made and that are not as it made them.
     *
     * @throws IllegalStateException naming what is missing
     */
    void mustBeWhole(Migration applied) {
        applied.created().forEach((table, expected) -> {
            if (!has(table)) {
                throw new IllegalStateException("The table " + table + " is missing, although treadle_schema says that "
                        + applied.name()
                        + " was applied. Restore it, or drop all tables of Treadle and open the storage"
                        + " again.");
            }
            mustBeOurs(table, expected);
        });
        applied.added().forEach(this::mustBeOurs);
    }
}
