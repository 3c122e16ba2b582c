package dev.treadle.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * An application whose classes are loaded again at each restart, as by Spring Boot's developer tools: Treadle's classes stay
 * in the loader below, and jobs must be called on the new ones.
 */
class RestartTest {
    /** Loads the application itself, and nothing else. */
    private static final class RestartLoader extends URLClassLoader {
        RestartLoader() {
            super(new URL[0], RestartTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(RestartedTest.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void jobs_are_called_on_the_classes_of_the_latest_restart() throws Exception {
        String url = Database.H2.newUrl();
        for (int restart = 1; restart <= 2; restart++) {
            try (RestartLoader loader = new RestartLoader()) {
                CompletableFuture<String> said = new CompletableFuture<>();
                Thread main = new Thread(
                        () -> {
                            try {
                                said.complete(application(loader, url).call());
                            } catch (Exception e) {
                                said.completeExceptionally(e);
                            }
                        },
                        "restartedMain");
                main.setContextClassLoader(loader);
                main.start();

                assertThat(said.get(60, TimeUnit.SECONDS)).isEqualTo("handler and bean of " + loader);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Callable<String> application(ClassLoader loader, String url) throws ReflectiveOperationException {
        return (Callable<String>) Class.forName(RestartedTest.class.getName(), true, loader)
                .getConstructor(String.class)
                .newInstance(url);
    }
}
