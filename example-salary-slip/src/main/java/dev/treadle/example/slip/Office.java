package dev.treadle.example.slip;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.job.JobId;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.YearMonth;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where the demo keeps what it works on: the employees, the runs, and the jobs, all in one database or in memory. */
final class Office implements AutoCloseable {
    private final @Nullable HikariDataSource pool;
    private final StorageProvider storage;
    private final EmployeeDirectory employees;

    private Office(@Nullable HikariDataSource pool, StorageProvider storage, EmployeeDirectory employees) {
        this.pool = pool;
        this.storage = storage;
        this.employees = employees;
    }

    static Office open(DemoOptions options) {
        if (options.storage().equals("memory")) {
            return new Office(null, new InMemoryStorageProvider(), new MemoryEmployees());
        }
        HikariConfig config = new HikariConfig();
        config.setPoolName("salary-slips");
        config.setMaximumPoolSize(16);
        if (options.storage().equals("h2")) {
            Path folder = folder("--data", options.data());
            config.setJdbcUrl("jdbc:h2:file:" + folder.toAbsolutePath().resolve("salary-slips")
                    + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE");
            config.setUsername("sa");
            config.setPassword("");
        } else {
            config.setJdbcUrl(options.storage());
            config.addDataSourceProperty("socketTimeout", "60");
            config.addDataSourceProperty("tcpKeepAlive", "true");
        }
        HikariDataSource pool = open(config);
        boolean opened = false;
        try {
            Office office = new Office(pool, SqlStorageProvider.using(pool), new SqlEmployees(pool));
            opened = true;
            return office;
        } finally {
            if (!opened) {
                pool.close();
            }
        }
    }

    /**
     * Makes a folder that was asked for, if it is not there.
     *
     * @throws IllegalStateException if nothing can be written into it, which jobs would find out one by one
     */
    static Path folder(String option, Path folder) {
        try {
            Files.createDirectories(folder);
            Files.delete(Files.createTempFile(folder, "demo", ".tmp"));
            return folder;
        } catch (IOException e) {
            throw new IllegalStateException(
                    "it cannot write into " + folder.toAbsolutePath() + " ("
                            + e.getClass().getSimpleName() + "). Name another folder with " + option + ".",
                    e);
        }
    }

    private static HikariDataSource open(HikariConfig config) {
        try {
            return new HikariDataSource(config);
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "no connection to " + config.getJdbcUrl().split("[?;]", 2)[0] + ": "
                            + String.valueOf(e.getMessage()).replaceAll("\\.$", "")
                            + ". Is the database up, is no other demo using the file, and are user and password right?",
                    e);
        }
    }

    StorageProvider storage() {
        return storage;
    }

    EmployeeDirectory employees() {
        return employees;
    }

    /** The run that was left, or a new one with that many employees. */
    PayrollRun openRun(YearMonth period, DemoOptions options) throws SQLException {
        PayrollRun run = pool == null
                ? new PayrollRun(JobId.of(UUID.randomUUID()), period, options.employees(), false)
                : new RunBook(pool).open(period, options.employees(), options.out());
        employees.fill(options.employees());
        return run;
    }

    void endRun(PayrollRun run) throws SQLException {
        if (pool != null) {
            new RunBook(pool).end(run);
        }
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.close();
        }
    }
}
