package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.Due;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.QueueStorage;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens when every number for a lane is taken. */
@ParameterizedClass
@EnumSource(Dialect.class)
class LaneNumbersTest {
    private static final NodeId NODE = new NodeId(1);

    private final HikariDataSource database;
    private final StorageProvider storage;
    private int made;

    LaneNumbersTest(Dialect dialect) {
        database = EmptyDatabases.of(dialect);
        storage = SqlStorageProvider.using(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_combination_too_many_is_refused_with_cause_and_cure_and_all_others_go_on() throws SQLException {
        keep("before");
        takeAllNumbers();

        StorageException refused = assertThrows(StorageException.class, () -> keep("one more"));

        assertFalse(refused.isWorthRepeating(), "trying again is no use");
        assertTrue(refused.getMessage().contains("one more"), refused.getMessage());
        assertTrue(refused.getMessage().contains("takes one of 32767 numbers for good"), refused.getMessage());
        assertTrue(refused.getMessage().contains("after kinds of work"), refused.getMessage());
        keep("before");
        assertEquals(2, storage.claim(NODE, new Lane("before", Set.of()), 10).size());
    }

    private void takeAllNumbers() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement insert = connection.createStatement()) {
            insert.execute("insert into treadle_lane (id, queue, tags) values (" + QueueStorage.LANES_MAX
                    + ", 'the last', '[]')");
        }
    }

    private void keep(String queue) {
        JobId id = JobId.of(new UUID(1, ++made));
        storage.insert(List.of(
                new NewJob(id, new Invocation("com.acme.A", null, "{}"), Due.NOW, JobTraits.DEFAULT.withQueue(queue))));
    }
}
