package dev.treadle.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The programs that PostgreSQL is made of: the machine's newest, else those that come as a Maven artifact. */
record PostgresPrograms(Path bin, boolean hasStatementStatistics) {
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
    /** Ten seconds are usual, which is little on a slow machine. */
    private static final Duration STARTUP_MAX = Duration.ofMinutes(2);

    private static final String STATISTICS = "pg_stat_statements.so";

    /** @param folder where to unpack them if the machine has none */
    static PostgresPrograms find(Path folder) throws IOException {
        Path bin = installed().orElseGet(() -> unpacked(folder.resolve("binaries")));
        Path version = bin.getParent();
        boolean statistics = Stream.of("lib", "lib/postgresql")
                .map(lib -> version.resolve(lib).resolve(STATISTICS))
                .anyMatch(Files::exists);
        return new PostgresPrograms(bin, statistics);
    }

    Path path(String program) {
        return bin.resolve(program);
    }

    private static Optional<Path> installed() throws IOException {
        if (!Files.isDirectory(DEBIAN)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(DEBIAN)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.comparingInt(PostgresPrograms::version));
        }
    }

    private static int version(Path bin) {
        String name = bin.getParent().getFileName().toString();
        return name.chars().allMatch(Character::isDigit) ? Integer.parseInt(name) : 0;
    }

    /** Starting it once unpacks them; what it starts itself does not sync, so it is not what is measured. */
    private static Path unpacked(Path here) {
        try {
            Files.createDirectories(here);
            EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(here.toFile())
                    .setPGStartupWait(STARTUP_MAX)
                    .start()
                    .close();
            try (Stream<Path> files = Files.walk(here, 3)) {
                return files.filter(file -> file.endsWith("bin/initdb"))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("There is no initdb below " + here + "."))
                        .getParent();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
