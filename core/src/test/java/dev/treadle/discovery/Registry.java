package dev.treadle.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.treadle.executor.JobRunrExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** A folder on a class path of its own, where a test registers executors. */
final class Registry {
    static final String TOO_NEW = "org.example.TooNewExecutor";

    private final Path folder;

    Registry(Path folder) {
        this.folder = folder;
    }

    static ExecutorDiscovery of(Path folder, String... lines) {
        return new Registry(folder).with(lines).discovery();
    }

    Registry with(String... lines) {
        try {
            Path services = Files.createDirectories(folder.resolve("META-INF/services"));
            Files.write(services.resolve(JobRunrExecutor.class.getName()), List.of(lines), UTF_8);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the class file of an executor that needs the given Java. */
    Registry withClassFor(int java) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(44 + java, Opcodes.ACC_PUBLIC, TOO_NEW.replace('.', '/'), null, "java/lang/Object", new String[] {
            JobRunrExecutor.class.getName().replace('.', '/')
        });
        writer.visitEnd();
        try {
            Path file = folder.resolve(TOO_NEW.replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, writer.toByteArray());
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ExecutorDiscovery discovery() {
        try {
            // not closed: on purpose as long-lived as the discovery, and it holds folders only
            return new ExecutorDiscovery(
                    new URLClassLoader(new URL[] {folder.toUri().toURL()}, Registry.class.getClassLoader()));
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }
}
