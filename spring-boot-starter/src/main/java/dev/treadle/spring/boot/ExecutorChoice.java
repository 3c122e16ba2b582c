package dev.treadle.spring.boot;

import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.executor.ScheduledThreadPoolJobRunrExecutor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * Chooses the executor as Spring Boot chooses threads: virtual ones only if the application asks for them, although the
 * starter brings them along.
 */
final class ExecutorChoice {
    private static final String VIRTUAL = "virtual";
    private static final String VIRTUAL_TYPE = "dev.treadle.executor.virtual.VirtualThreadJobRunrExecutor";
    /** The first Java with virtual threads. */
    private static final int JAVA_MIN = 21;

    private ExecutorChoice() {}

    /**
     * @param named what the application says; null if it says nothing
     * @return a name for {@link dev.treadle.Treadle.Builder#executor(String)}; null for the one with the highest priority
     */
    static @Nullable String of(@Nullable String named, Environment environment, @Nullable ClassLoader loader) {
        if (named != null) {
            return named;
        }
        if (environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false)
                && Runtime.version().feature() >= JAVA_MIN) {
            return VIRTUAL;
        }
        List<String> others = others(loader);
        return switch (others.size()) {
            case 0 -> ScheduledThreadPoolJobRunrExecutor.NAME;
            case 1 -> others.get(0);
            default -> null;
        };
    }

    /** Executors that the application has added. */
    private static List<String> others(@Nullable ClassLoader loader) {
        List<String> others = new ArrayList<>();
        Iterator<ServiceLoader.Provider<JobRunrExecutor>> found =
                ServiceLoader.load(JobRunrExecutor.class, loader).stream().iterator();
        while (true) {
            try {
                if (!found.hasNext()) {
                    return others;
                }
                String type = found.next().type().getName();
                if (!type.equals(VIRTUAL_TYPE)) {
                    others.add(type);
                }
            } catch (ServiceConfigurationError | LinkageError e) {
                // for another Java, or broken: Treadle names it when it looks for executors
                continue;
            }
        }
    }
}
