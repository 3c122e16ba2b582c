package dev.treadle.example.shop.experiment;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** Looks at this JVM while it works. */
@Component
@Profile(Watch.PROFILE)
class Watch implements DisposableBean {
    /** The shop waits on demand only when it is measured. */
    static final String PROFILE = "experiment";

    private static final Path STATUS = Path.of("/proc/self/status");

    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor();

    /** Looks once, after so long; ask for the figures when the work is done. */
    CompletableFuture<Figures> begin(int afterMillis) {
        ManagementFactory.getThreadMXBean().resetPeakThreadCount();
        CompletableFuture<Figures> seen = new CompletableFuture<>();
        looks.schedule(() -> seen.complete(look()), afterMillis, TimeUnit.MILLISECONDS);
        return seen;
    }

    /** What was seen, with the threads up to now. */
    static Figures end(CompletableFuture<Figures> seen) throws InterruptedException, ExecutionException {
        Figures before = seen.get();
        return new Figures(
                ManagementFactory.getThreadMXBean().getPeakThreadCount(), before.heapKb(), before.processKb());
    }

    private static Figures look() {
        // what a heap holds is known after a collection only
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1024;
        return new Figures(ManagementFactory.getThreadMXBean().getThreadCount(), heap, processKb());
    }

    private static long processKb() {
        if (!Files.isReadable(STATUS)) {
            return -1;
        }
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(-1);
        } catch (IOException e) {
            throw new IllegalStateException(STATUS + " cannot be read", e);
        }
    }

    @Override
    public void destroy() {
        looks.shutdownNow();
    }
}
