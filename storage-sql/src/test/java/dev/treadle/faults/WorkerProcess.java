package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** A {@link FaultWorker} in a JVM of its own, to be stopped, killed and watched. */
final class WorkerProcess implements AutoCloseable {
    private static final Pattern JOB = Pattern.compile("[Jj]ob ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

    private static final long LIMIT_SECONDS = 90;

    private final String name;
    private final Process process;
    private final Path output;

    private WorkerProcess(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
    }

    /** @param options beside the name, with those of its JVM: heap and gc; what is left out is usual */
    static WorkerProcess start(Path folder, String name, Map<String, String> options) {
        Map<String, String> all = new LinkedHashMap<>(Map.of("heap", "160m", "gc", "SerialGC"));
        all.putAll(Map.of(
                "workers",
                "4",
                "deadAfter",
                "2000",
                "wait",
                "30000",
                "patience",
                "10000",
                "hang",
                "0",
                "enqueue",
                "0",
                "batch",
                "1",
                "millis",
                "1"));
        all.put("limits", "");
        all.put("executor", "pool");
        all.putAll(options);
        all.put("name", name);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + all.remove("heap"),
                "-XX:+Use" + all.remove("gc"),
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=faults-logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                FaultWorker.class.getName()));
        all.forEach((key, value) -> command.add(key + "=" + value));
        Path output = folder.resolve(name + ".log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            return new WorkerProcess(name, process, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return name;
    }

    void awaitReady(Events events) {
        Awaitility.await().atMost(LIMIT_SECONDS, TimeUnit.SECONDS).until(() -> {
            assertTrue(process.isAlive(), () -> name + " ended at once:\n" + output());
            return events.count("READY", event -> event.worker().equals(name)) > 0;
        });
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGTERM; returns when the process is gone. */
    void terminate() throws IOException, InterruptedException {
        // not destroy(): that closes its input as well, which ends it at once
        signal("TERM");
        awaitEnd();
    }

    void awaitEnd() throws InterruptedException {
        assertTrue(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), () -> name + " does not end:\n" + output());
    }

    /** Sends a signal such as STOP or CONT. */
    void signal(String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start();
        assertTrue(kill.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) && kill.exitValue() == 0, "kill -" + signal);
    }

    /** What it has logged. */
    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int linesWith(String words) {
        return (int) output().lines().filter(line -> line.contains(words)).count();
    }

    /** The jobs that its log says have lost their lease: told to end, or refused when they ended, or both. */
    Set<JobId> jobsThatLostTheirLease() {
        return output().lines()
                .filter(line -> line.contains("was refused") || line.contains("lost its lease"))
                .flatMap(line -> JOB.matcher(line).results())
                .map(found -> JobId.of(UUID.fromString(found.group(1))))
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
