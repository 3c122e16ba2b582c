package dev.treadle.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;

/** Loads some modules itself, and writes down what their code looks up by name: resources, and classes. */
final class RecordingLoader extends URLClassLoader {
    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    final Set<String> resources = new ConcurrentSkipListSet<>();
    final Set<String> classes = new ConcurrentSkipListSet<>();

    /** @param parent loads everything else */
    RecordingLoader(URL[] modules, ClassLoader parent) {
        super(modules, parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (STACK.walk(RecordingLoader::isLookup)) {
            classes.add(name);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null && name.startsWith("dev.treadle.")) {
                loaded = findClass(name);
            }
            return loaded == null ? super.loadClass(name, resolve) : loaded;
        }
    }

    /**
     * What initializes early, whose list says what that is, and on whose way more is loaded; and what the JDK does to read
     * annotations and generic types.
     */
    private static boolean isOther(String asking) {
        return asking.equals("dev.treadle.engine.ClassInitializer") || asking.startsWith("sun.reflect.");
    }

    private static boolean isLookup(Stream<StackWalker.StackFrame> frames) {
        List<StackWalker.StackFrame> asked = frames.limit(10)
                .dropWhile(frame -> frame.getDeclaringClass() != Class.class)
                .toList();
        return !asked.isEmpty()
                && asked.get(0).getMethodName().startsWith("forName")
                && asked.stream().map(StackWalker.StackFrame::getClassName).noneMatch(RecordingLoader::isOther);
    }

    @Override
    public URL getResource(String name) {
        resources.add(name);
        URL own = findResource(name);
        return own == null ? super.getResource(name) : own;
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        URL url = getResource(name);
        try {
            return url == null ? null : url.openStream();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        resources.add(name);
        return super.getResources(name);
    }
}
