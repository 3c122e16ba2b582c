package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.PendingWork.LaneState;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens when every number for a lane is taken. */
@ParameterizedClass
@EnumSource(Dialect.class)
class LaneNumbersTest {
    private static final NodeId NODE = new NodeId(1);
    private static final JobTraits READY = JobTraits.DEFAULT.withQueue("ready");
    private static final JobTraits LATER = JobTraits.DEFAULT.withQueue("later");
    private static final JobTraits KEYED =
            JobTraits.DEFAULT.withQueue("keyed").withKey(KeyRule.limit("one at a time", 1));
    private static final JobTraits LAST = JobTraits.DEFAULT.withQueue("queue " + StorageProvider.LANES_MAX);
    private static final JobTraits ONE_MORE = JobTraits.DEFAULT.withQueue("one more");

    private final Dialect dialect;
    private final HikariDataSource database;
    private final AdminStorage storage;
    private int made;

    LaneNumbersTest(Dialect dialect) {
        this.dialect = dialect;
        database = EmptyDatabases.of(dialect);
        storage = SqlStorageProvider.using(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_combination_too_many_is_refused_with_cause_and_cure_and_all_others_go_on() throws SQLException {
        keep(READY, Due.NOW);
        takeAllNumbers();

        StorageException refused = assertThrows(StorageException.class, () -> keep(ONE_MORE, Due.NOW));

        assertFalse(refused.isWorthRepeating());
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.contains("one more"), message);
        assertTrue(message.contains("takes one of 32767 numbers for good"), message);
        assertTrue(message.contains("after kinds of work"), message);
        keep(READY, Due.NOW);
        assertEquals(2, claimed(READY));
    }

    @Test
    void the_statement_in_the_docs_gives_back_the_numbers_of_lanes_in_which_no_job_waits() throws Exception {
        keep(READY, Due.NOW);
        keep(LATER, new Due.After(Duration.ofDays(1)));
        keep(KEYED, Due.NOW);
        keep(KEYED, Due.NOW);
        assertEquals(1, claimed(KEYED), "the other one is in the line of its key only");
        takeAllNumbers();
        keep(LAST, Due.NOW);
        Matcher block = Pattern.compile("```sql\\n(delete from treadle_lane\\s.*?);\\n```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/queues.md")));
        assertTrue(block.find());

        execute(block.group(1));

        AdminStorage startedAgain = SqlStorageProvider.using(database);
        assertEquals(
                Set.of(Lane.DEFAULT, READY.lane(), LATER.lane(), KEYED.lane(), LAST.lane()),
                startedAgain.queues().lanes().stream().map(LaneState::lane).collect(Collectors.toSet()));
        startedAgain.insert(List.of(job(ONE_MORE, Due.NOW)));
        assertEquals(1, startedAgain.claim(NODE, ONE_MORE.lane(), 10).size());
        assertEquals(1, startedAgain.claim(NODE, READY.lane(), 10).size());
    }

    /** As after a failover to a standby that had not received the newest lanes. */
    @Test
    void a_number_that_the_database_knows_no_more_is_given_again_although_it_was_used_before() throws SQLException {
        keep(READY, Due.NOW);
        assertEquals(1, claimed(READY));
        execute("delete from treadle_lane where queue = 'ready'");
        StorageProvider other = SqlStorageProvider.using(database);
        other.insert(List.of(job(LATER, Due.NOW)));

        Awaitility.await("a job that another node can find")
                .atMost(Duration.ofSeconds(60))
                .until(() -> {
                    keep(READY, Due.NOW);
                    return !other.claim(NODE, READY.lane(), 10).isEmpty();
                });

        keep(READY, Due.NOW);
        other.insert(List.of(job(LATER, Due.NOW)));
        assertTrue(
                storage.claim(NODE, READY.lane(), 100).stream()
                        .allMatch(lease -> lease.job().traits().lane().equals(READY.lane())),
                "those of this lane only");
        assertEquals(
                Set.of(Lane.DEFAULT, READY.lane(), LATER.lane()),
                storage.queues().lanes().stream().map(LaneState::lane).collect(Collectors.toSet()));
    }

    private int claimed(JobTraits traits) {
        return storage.claim(NODE, traits.lane(), 10).size();
    }

    private void takeAllNumbers() throws SQLException {
        String numbers = switch (dialect) {
            case H2 -> "(select x as n from system_range(0, " + StorageProvider.LANES_MAX + "))";
            case POSTGRESQL -> "(select generate_series(0, " + StorageProvider.LANES_MAX + ") as n)";
            case MARIADB -> "(select seq as n from seq_0_to_" + StorageProvider.LANES_MAX + ")";
        };
        execute("insert into treadle_lane (id, queue, tags) select n, concat('queue ', n), '[]' from " + numbers
                + " numbers where n not in (select id from treadle_lane)");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void keep(JobTraits traits, Due due) {
        storage.insert(List.of(job(traits, due)));
    }

    private NewJob job(JobTraits traits, Due due) {
        return new NewJob(JobId.of(new UUID(1, ++made)), new Invocation("com.acme.A", null, "{}"), due, traits);
    }
}
