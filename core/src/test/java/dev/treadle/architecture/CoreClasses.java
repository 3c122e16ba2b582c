package dev.treadle.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.treadle.executor.JobRunrExecutor;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where core's own code is, compiled and as text. */
final class CoreClasses {
    private CoreClasses() {}

    /** {@code core/target/classes}. */
    static Path folder() {
        try {
            return Path.of(JobRunrExecutor.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@code src/main/java} of each module of this project. */
    static List<Path> sourcesOfAllModules() throws IOException {
        Path project = folder().resolve("../../..").normalize();
        try (Stream<Path> folders = Files.list(project)) {
            return folders.map(folder -> folder.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList();
        }
    }

    static JavaClasses main() {
        return new ClassFileImporter().importPath(folder());
    }
}
