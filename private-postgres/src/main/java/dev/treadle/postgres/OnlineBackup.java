package dev.treadle.postgres;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * Copies the data of a running server, for a standby of it. What {@code pg_basebackup} does, which is not among the programs
 * that come as a Maven artifact.
 */
final class OnlineBackup {
    /** From this version on the functions have their present names. */
    private static final int RENAMED = 150_000;

    private static final String CONTROL = "global/pg_control";
    private static final String LABEL = "backup_label";

    /** Files that are the running server's only. */
    private static final Set<String> LEFT_OUT =
            Set.of("postmaster.pid", "postmaster.opts", "standby.signal", LABEL, "tablespace_map", CONTROL);

    /** Folders whose files are the running server's only; a standby fetches the log of its primary. */
    private static final Set<String> EMPTY = Set.of(
            "pg_wal",
            "pg_replslot",
            "pg_dynshmem",
            "pg_notify",
            "pg_serial",
            "pg_snapshots",
            "pg_stat_tmp",
            "pg_subtrans");

    private OnlineBackup() {}

    /**
     * @param url  where the server answers
     * @param from its data
     * @param to   where the copy goes; not there yet
     */
    static void of(String url, Path from, Path to) throws IOException, SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            boolean renamed = number(statement, "select current_setting('server_version_num')::int") >= RENAMED;
            statement.execute(
                    renamed ? "select pg_backup_start('copy', true)" : "select pg_start_backup('copy', true, false)");
            copyAll(from, to);
            // the last: a standby begins where it says, or earlier
            copy(from.resolve(CONTROL), to.resolve(CONTROL));
            String label = text(
                    statement,
                    renamed
                            ? "select labelfile from pg_backup_stop(false)"
                            : "select labelfile from pg_stop_backup(false)");
            Path file = Files.writeString(to.resolve(LABEL), label);
            if (PrivatePostgres.isRoot()) {
                PrivatePostgres.ownedByNobody(file);
            }
        }
    }

    private static void copyAll(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                copy(folder, to.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path name = from.relativize(file);
                if (!LEFT_OUT.contains(name.toString())
                        && !EMPTY.contains(name.getName(0).toString())) {
                    copy(file, to.resolve(name));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
    }

    /** With its owner and rights. A file that the server has deleted by then is not missed: its log says so too. */
    private static void copy(Path from, Path to) throws IOException {
        try {
            Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
        } catch (NoSuchFileException e) {
            if (Files.exists(from)) {
                throw e;
            }
        }
    }

    private static int number(Statement statement, String sql) throws SQLException {
        return Integer.parseInt(text(statement, sql));
    }

    private static String text(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
