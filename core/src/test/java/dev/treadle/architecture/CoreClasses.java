package dev.treadle.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.treadle.executor.JobRunrExecutor;
import java.net.URISyntaxException;
import java.nio.file.Path;

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

    static Path sources() {
        return folder().resolve("../../src/main/java").normalize();
    }

    static JavaClasses main() {
        return new ClassFileImporter().importPath(folder());
    }
}
