package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.treadle.Treadle;
import dev.treadle.job.JobId;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.h2.api.ErrorCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * H2 closes its database under everybody's feet, as it does after a refused write, in the middle of transactions that
 * can no longer be rolled back. The same process goes on, and what was acknowledged runs.
 */
@Tag("faults")
@Timeout(600)
class ClosedH2Test {
    private static final int TIMES = 10;
    private static final int BATCH = 20;

    @TempDir
    private Path folder;

    @Test
    void the_process_goes_on_by_itself_and_nothing_acknowledged_is_lost() throws Exception {
        Set<JobId> acknowledged = new HashSet<>();
        Set<JobId> ran = ConcurrentHashMap.newKeySet();
        try (Treadle treadle = Treadle.on(SqlStorageProvider.h2File(folder.resolve("jobs")))
                .handler(FaultWork.class, (work, job) -> {
                    ran.add(job.jobId());
                })
                .executor("pool")
                .settings(JobServerSettings.DEFAULT.withWorkers(4))
                .start()) {
            for (int time = 0; time < TIMES; time++) {
                int before = acknowledged.size();
                Awaitility.await("jobs are taken again")
                        .atMost(Faults.LIMIT)
                        .until(() -> enqueue(treadle, acknowledged) && acknowledged.size() >= before + 2 * BATCH);
                closeDatabase();
            }
            assertFalse(acknowledged.isEmpty());
            Awaitility.await("each acknowledged job has run")
                    .atMost(Faults.LIMIT)
                    .untilAsserted(() -> {
                        Set<JobId> left = new HashSet<>(acknowledged);
                        left.removeAll(ran);
                        assertEquals(Set.of(), left);
                    });
        }
    }

    private static boolean enqueue(Treadle treadle, Set<JobId> acknowledged) {
        try {
            acknowledged.addAll(
                    treadle.jobs().enqueueAll(IntStream.range(0, BATCH).mapToObj(n -> FaultWork.good(n, 0))));
            acknowledged.add(treadle.jobs().enqueue(FaultWork.good(0, 0)));
            return true;
        } catch (StorageException e) {
            return false;
        }
    }

    private void closeDatabase() throws SQLException {
        String url = "jdbc:h2:file:" + folder.resolve("jobs").toAbsolutePath();
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute("shutdown immediately");
        } catch (SQLException e) {
            // the connection that says so is closed as well
            if (e.getErrorCode() != ErrorCode.DATABASE_IS_CLOSED) {
                throw e;
            }
        }
    }
}
