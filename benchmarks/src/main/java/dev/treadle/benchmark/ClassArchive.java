package dev.treadle.benchmark;

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
 * An archive of the classes that a start loads, as the JVM writes it at the end of one process and maps it in the next
 * ones. It takes classes from jars only, so folders of the class path are packed first.
 */
final class ClassArchive implements AutoCloseable {
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

    /** The task of a process that starts from the archive, or not at all: without it its figures would be others. */
    Task reading(Task task) {
        if (!Files.exists(file)) {
            throw new IllegalStateException("The JVM wrote no archive of its classes; its message stands above.");
        }
        return with(task, "-XX:SharedArchiveFile=" + file + "\n-Xshare:on");
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
