package dev.treadle.storage.sql.migrations;

import dev.treadle.storage.sql.session.SqlText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/** What the migrations of a dialect say, and what they say of themselves. */
final class MigrationTexts {
    /** In the order in which they are applied. */
    static final List<String> NAMES = List.of(
            "V001__jobs",
            "V002__traits",
            "V003__tally",
            "V003__recurring",
            "V004__queues",
            "V005__keys",
            "V006__control",
            "V007__retention",
            "V008__search",
            "V009__figures",
            "V010__defaults",
            "V011__judging");

    /**
     * The line of a migration that says of itself: releases which do not know it can work, and start, with what it leaves.
     * Without that line they refuse to start.
     */
    private static final String COMPATIBLE = "-- compatible";

    private final String dialect;

    MigrationTexts(String dialect) {
        this.dialect = dialect;
    }

    /** All of them as one script. */
    String script(String before) {
        StringBuilder script = new StringBuilder(before);
        for (String name : NAMES) {
            script.append("\n-- ").append(name).append('\n').append(text(name));
            script.append("\ninsert into treadle_schema (name, checksum, applied_at, compatible) values ('")
                    .append(name)
                    .append("', ")
                    .append(checksum(name))
                    .append(", current_timestamp, ")
                    .append(isCompatible(name))
                    .append(");\n");
        }
        return script.toString();
    }

    List<String> statements(String name) {
        List<String> statements = new ArrayList<>();
        Arrays.stream(SqlText.withoutComments(text(name)).split(";\\s*(\n|$)"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .forEach(statements::add);
        return statements;
    }

    boolean isCompatible(String name) {
        return text(name).lines().anyMatch(COMPATIBLE::equals);
    }

    long checksum(String name) {
        CRC32 checksum = new CRC32();
        checksum.update(text(name).getBytes(StandardCharsets.UTF_8));
        return checksum.getValue();
    }

    private String text(String name) {
        String text = SqlText.read("migrations/" + dialect + "/" + name + ".sql");
        if (text == null) {
            throw new IllegalStateException("The migration " + name + " is missing for " + dialect + ".");
        }
        return text;
    }
}
