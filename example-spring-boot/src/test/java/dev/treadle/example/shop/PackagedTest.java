package dev.treadle.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The jar of the build, as it is deployed: all classes are in jars within a jar. */
@Tag("packaged")
@Timeout(300)
class PackagedTest {
    @TempDir
    private Path folder;

    static List<Path> jdks() {
        return RunningShop.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void the_jar_starts_and_runs_handlers_lambdas_and_recurring_methods(Path jdk) throws Exception {
        Path jar = NestedJar.added(RunningShop.jar(), folder);
        try (RunningShop shop = RunningShop.start(
                        jdk, List.of("-jar", jar.toString()), folder, "shop.inventory-every=1s")
                .awaitStart(1)) {
            String order = shop.order();
            shop.awaitAllFinished();

            String found = shop.get("/orders/" + order);
            assertEquals("1", RunningShop.field(found, "receipts"), found);
            assertEquals("1", RunningShop.field(found, "packed"), found);
            assertEquals("pens", RunningShop.field(found, "item"), found);
            Awaitility.await()
                    .atMost(RunningShop.SOON)
                    .until(() -> RunningShop.field(shop.get("/orders/" + order), "receiptJob")
                            .equals("SUCCEEDED"));
            Awaitility.await()
                    .atMost(RunningShop.SOON)
                    .until(() -> Integer.parseInt(RunningShop.field(shop.get("/"), "inventories")) > 0);
            for (String filled : List.of("filled 7 pencils", "filled 8 rulers")) {
                Awaitility.await()
                        .atMost(RunningShop.SOON)
                        .until(() -> shop.printed().contains(filled));
            }
            assertThreads(shop.get("/where-am-i"), jdk);
        }
    }

    private static void assertThreads(String threads, Path jdk) {
        boolean virtual = !jdk.equals(Path.of(System.getProperty("java.home")))
                || Runtime.version().feature() >= 21;
        for (String place : List.of("request", "task", "job")) {
            String thread = RunningShop.field(threads, place);
            assertEquals(virtual, thread.startsWith("VirtualThread["), () -> place + " on " + thread);
        }
        assertTrue(Boolean.parseBoolean(RunningShop.field(threads, "jobFindsOurClasses")), threads);
    }
}
