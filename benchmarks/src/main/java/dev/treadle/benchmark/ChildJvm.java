package dev.treadle.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A fresh JVM with the same flags for every contender. Killed when this one ends. */
final class ChildJvm implements AutoCloseable {
    static final int HEAP_MEGABYTES = 1_024;
    /** The parameter of a task that names another class path than this process's own. */
    static final String CLASS_PATH = "class-path";
    /** The parameter of a task that is more flags for its JVM, one on a line. */
    static final String FLAGS = "flags";

    /** The main class by its name: what it measures starts such processes as well. */
    static final String CHILD = "dev.treadle.benchmark.Child";

    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter orders;
    private final Thread killer;

    ChildJvm(Task task) {
        this(task, CHILD);
    }

    ChildJvm(Task task, Class<?> main) {
        this(task, main.getName());
    }

    private ChildJvm(Task task, String main) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        int heap = task.number("heap", HEAP_MEGABYTES);
        command.addAll(List.of("-Xmx" + heap + "m", "-Xms" + Math.min(heap, 256) + "m", "-XX:+UseG1GC"));
        // why: a process that has no memory left would wait, and all who come after it
        command.add("-XX:+ExitOnOutOfMemoryError");
        command.addAll(task.param(FLAGS, "").lines().toList());
        // for those who want to look inside: -XX:StartFlightRecording, for example
        Stream.of(System.getenv().getOrDefault("TREADLE_BENCH_JVM", "").split(" "))
                .filter(flag -> !flag.isBlank())
                .forEach(command::add);
        command.addAll(List.of("-cp", task.param(CLASS_PATH, System.getProperty("java.class.path")), main));
        command.addAll(task.arguments());
        try {
            this.process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("Cannot start a JVM", e);
        }
        this.killer = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(killer);
        this.answers = process.inputReader();
        this.orders = new PrintWriter(process.outputWriter(), true);
    }

    /** Measures in a JVM of its own. */
    static Sample measure(Task task) {
        try (ChildJvm jvm = new ChildJvm(task)) {
            return Sample.parse(jvm.answer());
        }
    }

    long pid() {
        return process.pid();
    }

    /** Tells it something and waits for its answer. */
    String ask(String order) {
        tell(order);
        return answer();
    }

    /** Tells it something, whose answer has to be fetched. */
    void tell(String order) {
        orders.println(order);
    }

    /** Its next line for us; whatever else is printed is passed on. */
    String answer() {
        try {
            for (String line; (line = answers.readLine()) != null; ) {
                if (Sample.isLine(line)) {
                    return line;
                }
                System.err.println(line);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        throw new IllegalStateException("A measuring process ended without a result; its message stands above.");
    }

    @Override
    public void close() {
        orders.close();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        if (!Thread.currentThread().isInterrupted()) {
            Runtime.getRuntime().removeShutdownHook(killer);
        }
    }
}
