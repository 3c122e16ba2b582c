package dev.treadle.executor.virtual;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobScope;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the JDK's thread dump shows of a job that forks on virtual threads. */
class VirtualThreadDumpTest {
    @TempDir
    @Nullable
    Path folder;

    record HandleOrder() implements JobRequest<Void> {}

    @Test
    void the_dump_shows_a_job_and_its_forks_by_name() throws Exception {
        CountDownLatch all = new CountDownLatch(3);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Path dump = folder.resolve("threads.txt");
        try (Treadle treadle = Treadle.on(new InMemoryStorageProvider())
                .executor(new VirtualThreadJobRunrExecutor())
                .handler(HandleOrder.class, (order, job) -> {
                    try (JobScope scope = job.scope()) {
                        for (String name : List.of("update-inventory", "update-order")) {
                            scope.fork(name, () -> {
                                all.countDown();
                                mayEnd.await();
                            });
                        }
                        all.countDown();
                        mayEnd.await();
                        scope.join();
                    }
                })
                .start()) {
            JobId id = treadle.jobs().enqueue(new HandleOrder());
            assertTrue(all.await(30, TimeUnit.SECONDS));

            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=HotSpotDiagnostic"),
                            "dumpThreads",
                            new Object[] {dump.toString(), "TEXT_PLAIN"},
                            new String[] {"java.lang.String", "java.lang.String"});
            mayEnd.countDown();

            String text = Files.readString(dump);
            for (String name : List.of("", "/update-inventory", "/update-order")) {
                assertTrue(text.contains("\"job-" + id + name + "\" virtual"), () -> name + " is missing in " + text);
            }
        }
    }
}
