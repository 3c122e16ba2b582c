package dev.treadle.benchmark;

import dev.treadle.postgres.TempFolder;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * What the JVM writes at the end of one process and maps in the next ones: an archive of the classes that were loaded or,
 * from Java 25 up, a cache that also knows which methods were hot. Both take classes from jars only, so folders of the
 * class path are packed first.
 */
final class ClassArchive implements AutoCloseable {
    private static final int CACHE_JAVA_MIN = 25;

    private final TempFolder folder = new TempFolder("treadle-classes");
    private final Path file = folder.path().resolve("classes.jsa");
    private final String classPath;

    ClassArchive() throws IOException {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            entries.add(Files.isDirectory(path) ? pack(path, entries.size()) : entry);
        }
        this.classPath = String.join(File.pathSeparator, entries);
    }

    private String pack(Path classes, int number) throws IOException {
        Path jar = folder.path().resolve(number + ".jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path one : files.filter(Files::isRegularFile).toList()) {
                packed.putNextEntry(
                        new JarEntry(classes.relativize(one).toString().replace(File.separatorChar, '/')));
                Files.copy(one, packed);
                packed.closeEntry();
            }
        }
        return jar.toString();
    }

    /** The task of the process that writes the archive when it ends. */
    Task writing(Task task) {
        return with(task, "-XX:ArchiveClassesAtExit=" + file);
    }

    /** The task of a process that writes the cache when it ends. */
    Task training(Task task) {
        if (Runtime.version().feature() < CACHE_JAVA_MIN) {
            throw new IllegalStateException("A cache with what was hot needs Java " + CACHE_JAVA_MIN + ", and this is "
                    + Runtime.version().feature() + ".");
        }
        return with(task, "-XX:AOTCacheOutput=" + file);
    }

    /** The task of a process that runs with the cache, or not at all. */
    Task trained(Task task) {
        return reading(task, "-XX:AOTCache=" + file + "\n-XX:AOTMode=on");
    }

    /** The task of a process that starts from the archive, or not at all: without it its figures would be others. */
    Task reading(Task task) {
        return reading(task, "-XX:SharedArchiveFile=" + file + "\n-Xshare:on");
    }

    private Task reading(Task task, String flags) {
        if (!Files.exists(file)) {
            throw new IllegalStateException("The JVM wrote no archive of its classes; its message stands above.");
        }
        return with(task, flags);
    }

    private Task with(Task task, String flags) {
        Map<String, String> params = new HashMap<>(task.params());
        params.put(ChildJvm.CLASS_PATH, classPath);
        params.put(ChildJvm.FLAGS, flags);
        return new Task(task.kind(), task.peer(), task.url(), task.postmaster(), task.jobs(), params);
    }

    /** Where it is, once it is written. */
    Path file() {
        return file;
    }

    @Override
    public void close() {
        folder.close();
    }
}
