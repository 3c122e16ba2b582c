package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The database's clock is set, or another machine with another clock takes over. Here all heartbeats are moved instead,
 * which is the same to every statement.
 */
class ClockStepTest extends Faults {
    private static final int JOBS = 8;
    private static final int STEPS = Integer.getInteger("treadle.faults.clock.steps", 2);

    /** Differs after each heartbeat of any node. */
    private static final String HEARD = "select hashtext(string_agg(xmin::text || ctid::text, ' ' order by id))"
            + " from treadle_node where gone_at is null";

    @Test
    void an_hour_forward_and_back_robs_nobody_and_hides_no_dead_node() throws Exception {
        WorkerProcess one = readyWorker("one", "hang", "3600000");
        WorkerProcess other = readyWorker("other", "hang", "3600000");
        enqueuer.jobs().enqueueAll(IntStream.range(0, JOBS).mapToObj(FaultWork::hang));
        until("both run jobs", () -> leasesOf(one) == 4 && leasesOf(other) == 4);
        untilHeardForLong();

        for (int step = 0; step < STEPS; step++) {
            moveHeartbeats("- interval '1 hour'");
            untilHeardForLong();
            moveHeartbeats("+ interval '1 hour'");
            untilHeardForLong();
        }
        assertEquals(
                0, count("select count(*) from treadle_history where event = 2"), "jobs of living nodes were rescued");
        assertEquals(JOBS, count("select count(*) from treadle_lease"));

        one.kill();
        moveHeartbeats("+ interval '1 hour'");
        until("the jobs of the dead node are rescued", () -> rescuedFrom(one) == 4);
        assertEquals(0, rescuedFrom(other));
        assertTrue(other.isAlive());
        report(2 * STEPS + " steps of an hour, none rescued from the living, 4 from the dead");
    }

    private void moveHeartbeats(String by) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("update treadle_node set beat_at = beat_at " + by);
        }
    }

    /** Returns when each living node has sent more heartbeats than one may be silent for. */
    private void untilHeardForLong() throws SQLException {
        // two nodes, three heartbeats in deadAfter, twice as long
        for (int beat = 0; beat < 12; beat++) {
            int before = count(HEARD);
            until("a heartbeat arrives", () -> count(HEARD) != before);
        }
    }
}
