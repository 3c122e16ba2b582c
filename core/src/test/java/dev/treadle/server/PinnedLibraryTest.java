package dev.treadle.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.storage.InMemoryStorageProvider;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** An application that pins an older version of a library which Treadle needs: it is told when it starts. */
class PinnedLibraryTest {
    /** Of the annotations since 2.21. */
    private static final String YOUNG = "com.fasterxml.jackson.annotation.JsonSerializeAs";

    @Test
    void annotations_that_are_too_old_are_named_at_the_start() throws Exception {
        try (URLClassLoader application = withoutYoungAnnotations()) {
            String answer = (String) ((Callable<?>) application
                            .loadClass(Application.class.getName())
                            .getConstructor()
                            .newInstance())
                    .call();

            assertTrue(answer.startsWith("java.lang.IllegalStateException: Treadle cannot start"), answer);
            assertTrue(answer.contains("JsonSerializeAs"), answer);
            assertTrue(answer.contains("jackson-annotations"), answer);
        }
    }

    /** Runs where the classes of the application are. */
    public static final class Application implements Callable<String> {
        /** For the test. */
        public Application() {}

        @Override
        public String call() {
            try (Treadle treadle = Treadle.on(new InMemoryStorageProvider()).start()) {
                return "It started: " + treadle.server().orElseThrow().self();
            } catch (IllegalStateException e) {
                return e.toString();
            }
        }
    }

    private static URLClassLoader withoutYoungAnnotations() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(new File(entry).toURI().toURL());
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (name.equals(YOUNG)) {
                    throw new ClassNotFoundException(name);
                }
                return super.findClass(name);
            }
        };
    }
}
