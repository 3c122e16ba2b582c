package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.NodeId;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What judging costs, counted and not timed: rows for nodes, none for leases, and pieces of bounded size. */
class JudgingCostTest extends Interleaving {
    private static final int LEASES = 20_000;
    private static final int NODES = 100;
    private static final int GONE = 5_000;
    /** Pages of the leases that one statement may look at, and some for the few rows of nodes and catalogs. */
    private static final int BLOCKS_MAX = 128 + 72;

    @Test
    void a_look_at_who_lives_reads_no_lease_and_no_node_that_has_gone() throws Exception {
        fill();

        String plan = explained(Dialect.POSTGRESQL, SqlStatement.BEATS);

        assertEquals(NODES, storage.beats().size());
        assertTrue(!plan.contains("treadle_lease"), plan);
        assertTrue(plan.contains("treadle_node_living"), plan);
        assertTrue(blocks(plan) < 40, () -> "it walked over those that have gone: " + plan);
    }

    @Test
    void a_look_through_leases_goes_piece_by_piece_however_many_dead_rows_an_old_snapshot_keeps() throws Exception {
        fill();
        try (Connection old = database.getConnection()) {
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            old.setAutoCommit(false);
            old.createStatement().execute("select count(*) from treadle_lease");
            execute("delete from treadle_lease");

            String plan = explained(Dialect.POSTGRESQL, SqlStatement.ORPHANS);

            assertTrue(plan.contains("Tid Range Scan"), plan);
            assertTrue(blocks(plan) <= BLOCKS_MAX, plan);
            assertEquals(0, storage.orphans(OTHER, FULL).size());
            old.rollback();
        }
    }

    /** These leases have no jobs. */
    @AfterEach
    void empty_again() {
        TestDatabases.empty(database);
    }

    private void fill() throws SQLException {
        for (int node = 1; node <= NODES; node++) {
            storage.heartbeat(new NodeInfo(new NodeId(node), "a node", "pool", 4));
        }
        execute("insert into treadle_node (id, name, executor, workers, started_at, beat_at, gone_at)"
                + " select 1000000 + n, 'gone', 'pool', 4, now(), now(), now() from generate_series(1, " + GONE
                + ") n");
        execute("insert into treadle_lease (job_id, token, node, claimed_at, attempt)"
                + " select gen_random_uuid(), n, 1 + n % " + NODES + ", now(), 1 from generate_series(1, " + LEASES
                + ") n");
        execute("analyze treadle_node");
        execute("analyze treadle_lease");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The plan of a statement as it ran, with the parameters of the first piece. */
    private String explained(Dialect dialect, SqlStatement verb) throws SQLException {
        String sql = EmptyDatabases.statements(dialect)
                .of(verb)
                .replaceFirst("\\?", "'(0,0)'")
                .replaceFirst("\\?", "'(128,0)'")
                .replaceFirst("\\?", "2")
                .replaceFirst("\\?", "500");
        StringBuilder plan = new StringBuilder();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("explain (analyze, buffers, timing off) " + sql)) {
            while (rows.next()) {
                plan.append(rows.getString(1)).append('\n');
            }
        }
        return plan.toString();
    }

    /** How many blocks the statement looked at, all in all. */
    private static int blocks(String plan) {
        Matcher first = Pattern.compile("Buffers: shared(?: hit=(\\d+))?(?: read=(\\d+))?")
                .matcher(plan);
        assertTrue(first.find(), plan);
        return number(first.group(1)) + number(first.group(2));
    }

    private static int number(String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}
