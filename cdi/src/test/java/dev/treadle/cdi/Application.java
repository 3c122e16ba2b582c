package dev.treadle.cdi;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;

/** Applications in a real container, with what the tests have in common. */
final class Application {
    static final Duration SOON = Duration.ofSeconds(30);

    private Application() {}

    /** What the beans did. */
    @Singleton
    static class Done {
        final Set<String> all = ConcurrentHashMap.newKeySet();

        void await(String what) {
            Awaitility.await().atMost(SOON).until(() -> all.contains(what));
        }
    }

    /** Keeps jobs in memory. */
    @Singleton
    static class Memory {
        @Produces
        @Singleton
        StorageProvider storage() {
            return new InMemoryStorageProvider();
        }
    }

    static SeContainer start(Class<?>... beans) {
        return SeContainerInitializer.newInstance().addBeanClasses(beans).initialize();
    }

    static SeContainer start(Map<String, String> properties, Class<?>... beans) {
        properties.forEach(System::setProperty);
        try {
            return start(beans);
        } finally {
            properties.keySet().forEach(System::clearProperty);
        }
    }

    /** What is said of an application that does not start. */
    static String refused(Class<?>... beans) {
        return refused(Map.of(), beans);
    }

    static String refused(Map<String, String> properties, Class<?>... beans) {
        Throwable thrown = assertThrows(
                RuntimeException.class, () -> start(properties, beans).close());
        List<String> said = new ArrayList<>();
        for (Throwable next = thrown; next != null; next = next.getCause()) {
            said.add(String.valueOf(next.getMessage()));
        }
        return String.join("\n", said);
    }
}
