package dev.treadle.storage.sql.postgresql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.contracts.storage.Jobs;
import dev.treadle.job.NodeId;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.ExplainedBuffers;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While some transaction keeps dead rows from being removed, an almost empty queue costs no more than a full one. */
@Timeout(300)
class PinnedHorizonTest {
    private static final NodeId NODE = new NodeId(1);
    private static final int DEAD = Integer.getInteger("treadle.dead", 20_000);
    /** What a look costs in a database without dead rows, several times over. */
    private static final int BUFFERS_MAX = 150;
    /** Within one of so many looks there is one that does not begin at the very beginning. */
    private static final int LOOKS = 6;
    /** Less than {@link ClaimBound#LATE}. */
    private static final long OPEN_MILLIS = 2_000;

    private final HikariDataSource pool = EmptyDatabases.of(Dialect.POSTGRESQL);
    private final ExplainedBuffers buffers = new ExplainedBuffers();
    private final SqlStorageProvider storage =
            SqlStorageProvider.using(buffers.of(pool), SqlStorageSettings.DEFAULT.withNotifications(false));
    private Connection pin;

    @BeforeEach
    void pin() throws Exception {
        pin = pool.getConnection();
        pin.setAutoCommit(false);
        pin.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = pin.createStatement()) {
            statement.execute("select count(*) from treadle_ready");
        }
        for (String insert : List.of(
                "insert into treadle_ready (lane, priority, run_at, job_id, attempt) select 0, 0,"
                        + " now() - interval '1 minute', gen_random_uuid(), 0 from generate_series(1, " + DEAD + ")",
                "insert into treadle_deferred (job_id, due_at, since, lane, priority, attempt) select gen_random_uuid(),"
                        + " now() - interval '1 minute', now(), 0, 0, 0 from generate_series(1, " + DEAD + ")",
                "insert into treadle_tally (enqueued) select 1 from generate_series(1, " + DEAD + ")")) {
            EmptyDatabases.execute(pool, insert);
        }
        for (String table : List.of("treadle_ready", "treadle_deferred", "treadle_tally")) {
            EmptyDatabases.execute(pool, "delete from " + table);
            EmptyDatabases.execute(pool, "analyze " + table);
        }
        EmptyDatabases.execute(pool, "insert into treadle_tally (enqueued) values (0)");
    }

    @AfterEach
    void unpin() throws Exception {
        pin.rollback();
        pin.close();
        storage.close();
        pool.close();
    }

    @Test
    void claims_that_find_nothing_or_little_do_not_walk_over_dead_rows() {
        demandFew(
                "an empty claim", () -> assertEquals(0, storage.claim(NODE, 10).size()));

        storage.insert(List.of(new Jobs().anEnqueuedJob()));
        demandFew("the claims after that", () -> storage.claim(NODE, 10));
    }

    @Test
    void a_job_whose_transaction_was_open_for_seconds_is_found_by_the_next_claim() throws Exception {
        storage.claim(NODE, 10);
        try (Connection slow = pool.getConnection();
                Statement insert = slow.createStatement()) {
            slow.setAutoCommit(false);
            insert.execute("insert into treadle_job (id, created_at, type, method, arguments, priority)"
                    + " values ('00000000-0000-0000-0000-000000000001', now(), 'a.B', null, '{}', 0)");
            insert.execute("insert into treadle_ready (lane, priority, run_at, job_id, attempt)"
                    + " values (0, 0, now(), '00000000-0000-0000-0000-000000000001', 0)");
            long began = System.nanoTime();
            while (System.nanoTime() - began < OPEN_MILLIS * 1_000_000) {
                // each knows that everything up to now was taken
                assertEquals(0, storage.claim(NODE, 10).size());
                assertEquals(0, storage.outlook(NODE).heads().size());
            }
            slow.commit();
            slow.setAutoCommit(true);
        }
        assertEquals(1, storage.outlook(NODE).heads().size());
        assertEquals(1, storage.claim(NODE, 10).size());
    }

    @Test
    void looks_for_what_comes_next_do_not_walk_over_dead_rows() {
        demandFew(
                "promoting nothing", () -> assertEquals(0, storage.promote(100).moved()));
        demandFew("heads", () -> storage.heads());
        demandFew(
                "the outlook",
                () -> assertEquals(0, storage.outlook(NODE).heads().size()));
    }

    @Test
    void folding_the_tally_does_not_walk_over_dead_rows() {
        demandFew("folding the tally", storage::tidy);
    }

    private void demandFew(String what, Runnable look) {
        long first = 0;
        long fewest = Long.MAX_VALUE;
        long nanos = Long.MAX_VALUE;
        for (int i = 0; i < LOOKS; i++) {
            long began = System.nanoTime();
            long touched = buffers.of(look);
            nanos = Math.min(nanos, System.nanoTime() - began);
            first = i == 0 ? touched : first;
            fewest = Math.min(fewest, touched);
        }
        long few = fewest;
        System.out.println(what + ", " + DEAD + " dead rows: first " + first + " buffers, then " + few
                + ", with its explanation " + nanos / 1000 + " us");
        assertTrue(few <= BUFFERS_MAX, () -> what + " touches " + few + " buffers");
    }
}
