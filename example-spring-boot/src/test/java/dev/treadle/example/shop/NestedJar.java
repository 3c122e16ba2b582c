package dev.treadle.example.shop;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Puts a library into the shop's jar, as a build puts the application's other modules there. */
final class NestedJar {
    private static final String LIBRARY = "dev.treadle.example.shop.library";
    private static final String SOURCE = """
            package dev.treadle.example.shop.library;

            import dev.treadle.api.JobScheduler;
            import org.springframework.boot.context.event.ApplicationReadyEvent;
            import org.springframework.context.event.EventListener;
            import org.springframework.stereotype.Component;

            @Component
            public class Shelf {
                private final JobScheduler jobs;

                Shelf(JobScheduler jobs) {
                    this.jobs = jobs;
                }

                @EventListener(ApplicationReadyEvent.class)
                void opens() {
                    Shelf shelf = this;
                    jobs.enqueue(() -> shelf.fill("pencils", 7));
                    jobs.enqueue(shelf::fill, "rulers", 8);
                }

                public void fill(String what, int pieces) {
                    System.out.println("filled " + pieces + " " + what);
                }
            }
            """;

    private NestedJar() {}

    /** A copy of the jar whose library enqueues a lambda and a method reference at the start. */
    static Path added(Path jar, Path folder) throws IOException {
        byte[] library = library(folder);
        Path made = folder.resolve("with-library.jar");
        try (JarFile from = new JarFile(jar.toFile());
                OutputStream file = Files.newOutputStream(made);
                JarOutputStream to = new JarOutputStream(file)) {
            for (Enumeration<JarEntry> entries = from.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                ZipEntry copy = new ZipEntry(entry.getName());
                // nested jars are not compressed
                copy.setMethod(entry.getMethod());
                if (entry.getMethod() == ZipEntry.STORED) {
                    copy.setSize(entry.getSize());
                    copy.setCrc(entry.getCrc());
                }
                to.putNextEntry(copy);
                try (InputStream in = from.getInputStream(entry)) {
                    in.transferTo(to);
                }
            }
            stored(to, "BOOT-INF/lib/library.jar", library);
        }
        return made;
    }

    private static void stored(JarOutputStream to, String name, byte[] bytes) throws IOException {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        entry.setCrc(crc.getValue());
        to.putNextEntry(entry);
        to.write(bytes);
    }

    private static byte[] library(Path folder) throws IOException {
        Path source = Files.writeString(folder.resolve("Shelf.java"), SOURCE);
        Path classes = Files.createDirectories(folder.resolve("library"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "--release",
                    "17",
                    "-parameters",
                    "-proc:none",
                    "-d",
                    classes.toString(),
                    "-cp",
                    System.getProperty("java.class.path"));
            if (!compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source))
                    .call()) {
                throw new IllegalStateException(said.toString());
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes)) {
            String folders = LIBRARY.replace('.', '/') + "/";
            // component scans look for folders
            for (int slash = folders.indexOf('/'); slash >= 0; slash = folders.indexOf('/', slash + 1)) {
                jar.putNextEntry(new ZipEntry(folders.substring(0, slash + 1)));
            }
            jar.putNextEntry(new ZipEntry(folders + "Shelf.class"));
            Files.copy(classes.resolve(folders).resolve("Shelf.class"), jar);
        }
        return bytes.toByteArray();
    }
}
