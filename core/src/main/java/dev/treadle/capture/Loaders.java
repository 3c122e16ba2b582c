package dev.treadle.capture;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The class loaders of captured jobs, so that any thread can inspect their code again. They are not kept from being
 * unloaded. Thread-safe.
 */
final class Loaders {
    private final Map<String, WeakReference<ClassLoader>> known = new ConcurrentHashMap<>();

    /** @param loader null for the JDK's own */
    void see(String type, @Nullable ClassLoader loader) {
        WeakReference<ClassLoader> seen = known.get(type);
        if (loader != null && (seen == null || seen.get() != loader)) {
            known.put(type, new WeakReference<>(loader));
        }
    }

    /** The loader that a class was loaded by. */
    static ClassLoader ofType(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null ? ClassLoader.getSystemClassLoader() : loader;
    }

    ClassLoader of(String type) {
        WeakReference<ClassLoader> seen = known.get(type);
        ClassLoader loader = seen == null ? null : seen.get();
        ClassLoader near = loader == null ? Thread.currentThread().getContextClassLoader() : loader;
        return near == null ? ClassLoader.getSystemClassLoader() : near;
    }
}
