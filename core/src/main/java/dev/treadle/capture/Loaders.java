package dev.treadle.capture;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the code of jobs that were captured here came from, so that it can be looked at again from any thread. It may be
 * unloaded. Thread-safe.
 */
final class Loaders {
    private final Map<String, WeakReference<ClassLoader>> known = new ConcurrentHashMap<>();

    /** @param loader null if it is the JDK's own */
    void see(String type, @Nullable ClassLoader loader) {
        WeakReference<ClassLoader> seen = known.get(type);
        if (loader != null && (seen == null || seen.get() != loader)) {
            known.put(type, new WeakReference<>(loader));
        }
    }

    ClassLoader of(String type) {
        WeakReference<ClassLoader> seen = known.get(type);
        ClassLoader loader = seen == null ? null : seen.get();
        ClassLoader near = loader == null ? Thread.currentThread().getContextClassLoader() : loader;
        return near == null ? ClassLoader.getSystemClassLoader() : near;
    }
}
