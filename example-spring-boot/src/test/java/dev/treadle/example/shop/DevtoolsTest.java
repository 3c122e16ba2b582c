package dev.treadle.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shop with Spring Boot's devtools, as in an IDE: Treadle is in jars and stays loaded, the application is in a folder and
 * gets another class loader with each restart.
 */
@Tag("packaged")
@Timeout(300)
class DevtoolsTest {
    private static final int ORDERS = 20;

    @TempDir
    private Path folder;

    @Test
    void jobs_of_before_a_restart_run_on_the_classes_of_after_it() throws Exception {
        Path classes = folder.resolve("classes");
        List<String> path = new ArrayList<>(List.of(classes.toString()));
        path.addAll(unpacked(RunningShop.jar(), classes, folder.resolve("lib")));
        path.add(devtools());
        try (RunningShop shop = RunningShop.start(
                        RunningShop.newestJdk(),
                        List.of("-cp", String.join(File.pathSeparator, path), ShopApplication.class.getName()),
                        folder,
                        "spring.devtools.livereload.enabled=false",
                        "shop.mail-takes=1s",
                        "treadle.server.workers=2",
                        "treadle.server.executor=pool")
                .awaitStart(1)) {
            assertTrue(Boolean.parseBoolean(RunningShop.field(shop.get("/where-am-i"), "jobFindsOurClasses")));
            List<String> orders = new ArrayList<>();
            for (int i = 0; i < ORDERS; i++) {
                orders.add(shop.order());
            }

            Files.writeString(
                    classes.resolve("application.properties"),
                    "\nspring.application.name=shop-two\n",
                    StandardOpenOption.APPEND);
            shop.awaitStart(2);

            String after = shop.get("/");
            assertEquals("shop-two", RunningShop.field(after, "name"));
            assertTrue(Integer.parseInt(RunningShop.field(after, "unfinished")) > 0, after);
            assertTrue(Boolean.parseBoolean(RunningShop.field(shop.get("/where-am-i"), "jobFindsOurClasses")));
            orders.add(shop.order());
            shop.awaitAllFinished();
            assertEquals(String.valueOf(orders.size()), RunningShop.field(shop.get("/"), "orders"));
        }
    }

    private static String devtools() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.contains("spring-boot-devtools"))
                .findFirst()
                .orElseThrow();
    }

    /** The classes into a folder, and the jars into another, whose paths are returned. */
    private static List<String> unpacked(Path jar, Path classes, Path lib) throws IOException {
        List<String> jars = new ArrayList<>();
        try (JarFile all = new JarFile(jar.toFile())) {
            for (JarEntry entry : Collections.list(all.entries())) {
                String name = entry.getName();
                Path to = name.startsWith("BOOT-INF/classes/")
                        ? classes.resolve(name.substring("BOOT-INF/classes/".length()))
                        : name.startsWith("BOOT-INF/lib/")
                                ? lib.resolve(name.substring("BOOT-INF/lib/".length()))
                                : null;
                if (to == null || entry.isDirectory()) {
                    continue;
                }
                Files.createDirectories(to.getParent());
                try (InputStream in = all.getInputStream(entry)) {
                    Files.copy(in, to);
                }
                if (to.startsWith(lib)) {
                    jars.add(to.toString());
                }
            }
        }
        return jars;
    }
}
