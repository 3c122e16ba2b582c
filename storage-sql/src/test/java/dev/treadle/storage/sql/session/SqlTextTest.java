package dev.treadle.storage.sql.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.postgresql.PostgresSyntax;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The listing of SQL files is the compatibility matrix, so nothing may be missing from it and nothing too much. */
class SqlTextTest {
    /** A digit where a state or an event belongs. */
    private static final Pattern OWN_CODE =
            Pattern.compile("\\b(event|next)\\s*(=|<>|in\\s*\\()\\s*\\d|\\btoken, \\d+, \\d");
    /** States that are counted by hand. */
    private static final Pattern OWN_MOVE = Pattern.compile("treadle_tally \\((?!\\$\\{moves:)");
    /** These count whatever they are told. */
    private static final Set<String> OF_ANY_TRANSITION = Set.of("apply.sql", "tally.sql", "fold-tally.sql");

    private static final Map<SqlStatement, Trigger> OVER_SETS = Map.of(
            SqlStatement.INSERT, Trigger.INSERT,
            SqlStatement.INSERT_ONE, Trigger.INSERT,
            SqlStatement.INSERT_LEASED, Trigger.START,
            SqlStatement.CLAIM, Trigger.CLAIM,
            SqlStatement.PROMOTE, Trigger.PROMOTE,
            SqlStatement.UNPARK, Trigger.UNPARK,
            SqlStatement.COMPLETE, Trigger.SUCCEED,
            SqlStatement.COMPLETE_ONE, Trigger.SUCCEED);

    private static final Map<StateName, String> PLACES = Map.of(
            StateName.SCHEDULED, "treadle_deferred",
            StateName.ENQUEUED, "treadle_ready",
            StateName.PROCESSING, "treadle_lease",
            StateName.PARKED, "treadle_parked");

    private static final Pattern VERB = Pattern.compile("\\bSqlStatement\\.([A-Z_]+)");

    @Test
    void every_dialect_has_the_text_of_every_verb_it_uses() {
        Set<String> missing = new TreeSet<>();
        for (Dialect dialect : Dialect.values()) {
            for (SqlStatement verb : usedBy(dialect)) {
                if (EmptyDatabases.syntax(dialect).text(verb).isEmpty()) {
                    missing.add(dialect + " " + verb.file());
                }
            }
        }

        assertEquals(Set.of(), missing);
    }

    @Test
    void a_ring_changes_nothing_of_how_jobs_are_kept() {
        StatementTexts statements = EmptyDatabases.statements(Dialect.POSTGRESQL);
        String insert = statements.of(SqlStatement.INSERT_ONE);
        String kept = insert.substring(0, insert.indexOf(")\nselect id from fresh"));

        assertTrue(statements.of(SqlStatement.INSERT_ONE_RINGING).startsWith(kept));
    }

    @Test
    void portable_statements_on_postgresql_have_every_text_that_they_have_on_h2() {
        SqlSyntax portable = PostgresSyntax.portable(SchemaName.OF_CONNECTION, "treadle_due");
        Set<SqlStatement> missing = usedBy(Dialect.H2);
        missing.removeIf(verb -> portable.text(verb).isPresent());

        assertEquals(Set.of(), missing);
    }

    @Test
    void every_verb_is_used_by_some_dialect() {
        Set<SqlStatement> unused = EnumSet.allOf(SqlStatement.class);
        for (Dialect dialect : Dialect.values()) {
            unused.removeAll(usedBy(dialect));
        }

        assertEquals(Set.of(), unused);
    }

    @Test
    void every_file_is_used_by_some_dialect() {
        Set<String> used = new TreeSet<>();
        for (Dialect dialect : Dialect.values()) {
            for (SqlStatement verb : usedBy(dialect)) {
                used.add(EmptyDatabases.syntax(dialect).file(verb).orElseThrow());
            }
        }

        SqlSyntax portable = PostgresSyntax.portable(SchemaName.OF_CONNECTION, "treadle_due");
        usedBy(Dialect.H2).forEach(verb -> used.add(portable.file(verb).orElseThrow()));

        assertEquals(used, verbFiles());
    }

    @Test
    void every_file_begins_with_its_verb_and_what_it_does() {
        for (String file : sqlFiles()) {
            String verb = Path.of(file).getFileName().toString().replace(".sql", "");
            String text = Objects.requireNonNull(SqlText.read(file));

            assertTrue(text.startsWith("-- " + verb + ": "), file + " begins with another word");
            assertTrue(text.lines().findFirst().orElse("").length() > verb.length() + 10, file + " says nothing");
        }
    }

    @Test
    void no_statement_is_sent_with_its_comments() {
        String text =
                EmptyDatabases.syntax(Dialect.H2).text(SqlStatement.CANDIDATES).orElseThrow();

        assertFalse(text.contains("--"), text);
        assertTrue(text.strip().toLowerCase(Locale.ROOT).startsWith("select"), text);
        assertEquals("a\nb", SqlText.withoutComments("-- x\na\n-- y\nb\n"));
    }

    @Test
    void every_part_is_shared_by_several_statements() {
        Set<String> lonely = new TreeSet<>();
        for (String file : sqlFiles()) {
            String part = "${part:" + name(Path.of(file)).replace(".sql", "}");
            long users = sqlFiles().stream()
                    .filter(other -> Objects.requireNonNull(SqlText.read(other)).contains(part))
                    .count();
            if (file.startsWith(SqlSyntax.PARTS) && users < 2) {
                lonely.add(file);
            }
        }

        assertEquals(Set.of(), lonely);
    }

    @Test
    void a_part_that_is_not_there_is_said_with_its_name() {
        SqlSyntax syntax = EmptyDatabases.syntax(Dialect.H2);

        assertEquals(
                "There is no file parts/no-such-part.sql for ${part:no-such-part}.",
                assertThrows(IllegalStateException.class, () -> syntax.filled("${part:no-such-part}"))
                        .getMessage());
    }

    @Test
    void every_parameter_has_a_name() {
        Set<String> unnamed = new TreeSet<>(sqlFiles());
        unnamed.removeIf(file -> !SqlText.withoutComments(Objects.requireNonNull(SqlText.read(file)))
                .contains("?"));

        assertEquals(Set.of(), unnamed, "write :job_id and the like, see ParsedSql");
    }

    @Test
    void a_file_that_is_not_there_is_no_error() {
        assertNull(SqlText.read("no-such-file.sql"));
        assertTrue(EmptyDatabases.syntax(Dialect.H2).text(SqlStatement.CLAIM).isEmpty());
    }

    @Test
    void no_file_spells_a_state_or_a_transition_by_itself() {
        Set<String> own = new TreeSet<>();
        for (String file : sqlFiles()) {
            String text = SqlText.withoutComments(Objects.requireNonNull(SqlText.read(file)));
            if (OWN_CODE.matcher(text).find()
                    || OWN_MOVE.matcher(text).find() && !OF_ANY_TRANSITION.contains(name(Path.of(file)))) {
                own.add(file);
            }
        }

        assertEquals(Set.of(), own, "write ${FAILED}, ${event:THREW}, ${moves:CLAIM} and the like, see TransitionText");
    }

    @Test
    void statements_over_sets_do_what_the_table_of_transitions_says() {
        StatementTexts fast = EmptyDatabases.statements(Dialect.POSTGRESQL);
        for (Map.Entry<SqlStatement, Trigger> one : OVER_SETS.entrySet()) {
            Trigger trigger = one.getValue();
            String text = fast.of(one.getKey());
            StateName from = only(trigger);
            String moves = (from == null ? "" : from + ", ") + trigger.to();

            assertTrue(
                    text.contains("treadle_tally (" + moves.toLowerCase(Locale.ROOT) + ")"),
                    () -> trigger + ": " + text);
            String table = PLACES.get(Objects.requireNonNull(trigger.to()));
            assertEquals(table != null, text.contains("insert into " + table + " ("), () -> trigger + ": " + text);
            assertTrue(
                    from == null || text.contains("delete from " + PLACES.get(from) + " "),
                    () -> trigger + ": " + text);
        }
        // what these files write into run_at by hand
        assertEquals(Trigger.When.KEPT, Trigger.PROMOTE.when());
        assertTrue(fast.of(SqlStatement.PROMOTE).contains("select lane, priority, due_at, job_id, attempt from moved"));
        assertEquals(Trigger.When.NOW, Trigger.UNPARK.when());
        assertTrue(fast.of(SqlStatement.UNPARK).contains("select lane, priority, now(), job_id, attempt from back"));
        assertTrue(fast.of(SqlStatement.CLAIM).contains("now(), attempt + 1 from taken"));
    }

    private static @Nullable StateName only(Trigger trigger) {
        return Arrays.stream(StateName.values())
                .filter(trigger::isAllowedIn)
                .findFirst()
                .orElse(null);
    }

    @Test
    void tables_that_a_transition_names_are_those_of_the_schema() {
        SqlSyntax elsewhere = new SqlSyntax(
                EmptyDatabases.syntax(Dialect.POSTGRESQL).folders(),
                EmptyDatabases.syntax(Dialect.POSTGRESQL).fragments(),
                new SchemaName("jobs"));

        String promote = elsewhere.text(SqlStatement.PROMOTE).orElseThrow();

        assertTrue(promote.contains("insert into jobs.treadle_ready ("), promote);
        assertFalse(Pattern.compile("(?<!jobs\\.)treadle_").matcher(promote).find(), promote);
    }

    /** The verbs named in the sources that this dialect runs: its own, and those of no dialect. */
    private static Set<SqlStatement> usedBy(Dialect dialect) {
        return sources()
                .filter(file -> runs(dialect, file))
                .flatMap(file -> VERB.matcher(read(file)).results())
                .map(found -> SqlStatement.valueOf(found.group(1)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(SqlStatement.class)));
    }

    private static boolean runs(Dialect dialect, Path file) {
        String room = file.getParent().getFileName().toString();
        boolean isOfAnother = Stream.of(Dialect.values())
                .filter(other -> other != dialect)
                .anyMatch(other -> room.equals(other.folder()));
        return !isOfAnother && (dialect != Dialect.POSTGRESQL || !name(file).startsWith("Portable"));
    }

    private static Stream<Path> sources() {
        return in(classes().resolve("../../src/main/java"))
                .filter(file -> name(file).endsWith(".java"));
    }

    /** The files that are statements. */
    private static Set<String> verbFiles() {
        Set<String> files = sqlFiles();
        files.removeIf(file -> file.startsWith(SqlSyntax.PARTS));
        return files;
    }

    /** All SQL files but migrations, relative to the folder of this package. */
    private static Set<String> sqlFiles() {
        Path folder = classes().resolve("dev/treadle/storage/sql");
        return in(folder)
                .filter(file -> name(file).endsWith(".sql"))
                .map(file -> folder.relativize(file).toString().replace('\\', '/'))
                .filter(file -> !file.startsWith("migrations/"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Path classes() {
        try {
            URL location = SqlText.class.getProtectionDomain().getCodeSource().getLocation();
            return Path.of(location.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Stream<Path> in(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
