package dev.treadle.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Initializes Treadle's own classes before the first job runs. A class whose initialization has failed cannot be used for
 * as long as its JVM lives, so one that is first needed while jobs have exhausted the heap would break its server for good.
 * The build lists those that have a static initializer; without the list nothing is initialized early.
 */
final class ClassInitializer {
    private static final String LIST = "META-INF/treadle/initializers";

    private static final Logger LOG = LoggerFactory.getLogger(ClassInitializer.class);

    private ClassInitializer() {}

    /** Initializes what is listed by any jar that this class loader sees. */
    static void initializeAll(ClassLoader loader) {
        try {
            for (Enumeration<URL> lists = loader.getResources(LIST); lists.hasMoreElements(); ) {
                initialize(lists.nextElement(), loader);
            }
        } catch (IOException e) {
            LOG.warn("The list of classes to initialize cannot be read; they are initialized when they are needed.", e);
        }
    }

    private static void initialize(URL list, ClassLoader loader) throws IOException {
        try (BufferedReader names =
                new BufferedReader(new InputStreamReader(list.openStream(), StandardCharsets.UTF_8))) {
            for (String name; (name = names.readLine()) != null; ) {
                try {
                    Class.forName(name, true, loader);
                } catch (ClassNotFoundException | LinkageError e) {
                    // for another Java, or for a library that is not here
                    LOG.debug("{} is not initialized early.", name, e);
                }
            }
        }
    }
}
