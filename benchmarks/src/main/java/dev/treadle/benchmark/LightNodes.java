package dev.treadle.benchmark;

import dev.treadle.Treadle;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.util.ArrayList;
import java.util.List;

/**
 * Many nodes in one process, each with a storage and a pool of its own, as in a process of its own. It says when all are
 * up, and ends with its standard input.
 */
final class LightNodes {
    /** A light node: as few permits as an application with little to do gives its server. */
    private static final int PERMITS = 2;

    private final Task task;
    private final Database database;
    private final List<Treadle> nodes = new ArrayList<>();

    LightNodes(Task task, Database database) {
        this.task = task;
        this.database = database;
    }

    void run() throws Exception {
        try {
            for (int i = 0; i < task.number("each", 1); i++) {
                nodes.add(Treadle.on(SqlStorageProvider.open(
                                database.url() + "?ApplicationName=" + ClusterRun.APPLICATION, database.user(), ""))
                        .settings(JobServerSettings.DEFAULT.withWorkers(PERMITS))
                        .handler(TreadleContender.Measured.class, (measured, job) -> {})
                        .start());
            }
            System.out.println(Sample.MARK + " up");
            while (System.in.read() >= 0) {
                // whatever is said, only the end counts
            }
        } finally {
            nodes.forEach(Treadle::close);
        }
    }
}
