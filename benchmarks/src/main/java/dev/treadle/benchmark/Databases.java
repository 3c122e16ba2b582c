package dev.treadle.benchmark;

import dev.treadle.postgres.TempFolder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Gives each run a database of its own and takes it away after. PostgreSQL is started when it is first asked for. */
final class Databases implements AutoCloseable {
    private static final String TEMPLATE = "filled";

    private @Nullable BenchPostgres postgres;
    private boolean hasTemplate;
    private int made;

    /** Runs something in a database as a cell wants it. */
    Sample with(Cell cell, Function<Task, Sample> measure) {
        String name = "run_" + ++made;
        return switch (cell.storage()) {
            case POSTGRES -> inPostgres(cell, name, measure);
            case NONE -> measure.apply(task(cell, "none", 0));
            case MEMORY -> measure.apply(task(cell, Database.MEMORY, 0));
            case H2_MEMORY -> measure.apply(task(cell, "jdbc:h2:mem:" + name, 0));
            case H2_FILE -> inFile(cell, name, measure);
        };
    }

    private Sample inPostgres(Cell cell, String name, Function<Task, Sample> measure) {
        BenchPostgres server = postgres();
        String url;
        if (cell.filled() == 0) {
            url = server.createDatabase(name);
        } else {
            if (!hasTemplate) {
                Task fill = task(cell, server.createDatabase(TEMPLATE), server.pid());
                // by Treadle for all who have its tables
                measure.apply(new Task(
                        Task.Kind.FILL, Peer.TREADLE, fill.url(), fill.postmaster(), cell.filled(), cell.params()));
                hasTemplate = true;
            }
            url = server.copyDatabase(TEMPLATE, name);
        }
        try {
            return measure.apply(task(cell, url, server.pid()));
        } finally {
            server.dropDatabase(name);
        }
    }

    private static Sample inFile(Cell cell, String name, Function<Task, Sample> measure) {
        try (TempFolder folder = new TempFolder("treadle-bench-h2")) {
            // the settings of SqlStorageProvider.h2File
            String url = "jdbc:h2:file:" + folder.path().resolve(name) + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
            return measure.apply(task(cell, url, 0));
        }
    }

    private static Task task(Cell cell, String url, long postmaster) {
        return new Task(cell.kind(), cell.peer(), url, postmaster, cell.jobs(), cell.params());
    }

    /** The process that all others of our PostgreSQL are children of; 0 if there is none. */
    long postmaster() {
        return postgres == null ? 0 : postgres.pid();
    }

    private BenchPostgres postgres() {
        if (postgres == null) {
            postgres = new BenchPostgres();
        }
        return postgres;
    }

    @Override
    public void close() {
        if (postgres != null) {
            postgres.close();
        }
    }
}
