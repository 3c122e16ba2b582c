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
 * Initializes classes before jobs can exhaust the heap. A class whose initialization has failed cannot be used for as long
 * as its JVM lives. So one that is first needed while the heap is full would break its server for good.
 */
final class ClassInitializer {
    /** Our own classes that have a static initializer; the build makes this list. */
    private static final String OWN = "META-INF/treadle/initializers";
    /** Classes of libraries that are first needed late, such as those of errors; the list is written by hand. */
    private static final String OF_LIBRARIES = "META-INF/treadle/library-initializers";

    private static final Logger LOG = LoggerFactory.getLogger(ClassInitializer.class);

    private ClassInitializer() {}

    /** Initializes our own classes, before the first job runs. */
    static void initializeOwn(ClassLoader loader) {
        initializeAll(OWN, loader);
    }

    /** Initializes those of libraries. They take a twentieth of a second, so the first jobs do not wait for them. */
    static void initializeLibraries(ClassLoader loader) {
        initializeAll(OF_LIBRARIES, loader);
        LOG.debug("The listed classes of libraries are initialized.");
    }

    /** Initializes what any jar lists that this class loader sees. */
    private static void initializeAll(String list, ClassLoader loader) {
        try {
            for (Enumeration<URL> lists = loader.getResources(list); lists.hasMoreElements(); ) {
                initialize(lists.nextElement(), loader);
            }
        } catch (IOException e) {
            LOG.warn("The list of classes to initialize cannot be read; they are initialized when they are needed.", e);
        }
    }

    private static void initialize(URL list, ClassLoader loader) throws IOException {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(list.openStream(), StandardCharsets.UTF_8))) {
            for (String line; (line = lines.readLine()) != null; ) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    initialize(line, loader);
                }
            }
        }
    }

    private static void initialize(String name, ClassLoader loader) {
        try {
            Class.forName(name, true, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            // for another Java, or for a library that is not here
            LOG.debug("{} is not initialized early.", name, e);
        }
    }
}
