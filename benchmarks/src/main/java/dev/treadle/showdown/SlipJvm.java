package dev.treadle.showdown;

import dev.treadle.postgres.TempFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that makes salary slips. It lives for a limited time, and no longer than this process.
 *
 * <p>It says how far it is in lines that begin with @; all else that it says goes to a file.
 */
final class SlipJvm implements AutoCloseable {
    /** The slips' own folder in that of the process. */
    static final String SLIPS = "out";

    private static final String GONE = "@gone";
    private static final String NO_HEAP = "java.lang.OutOfMemoryError";
    private static final String TOO_SMALL = "Too small maximum heap";
    /** How long a run that is just ending may take for that. */
    private static final int ENDING_SECONDS_MAX = 5;
    /** How long the system may take to end a process by force, and its last lines to be read. */
    private static final int KILLED_SECONDS_MAX = 30;

    private static final int LAST_LINE_CHARS_MAX = 160;

    private final Path folder;
    private final Process process;
    /** The same, for the hook that may run before the constructor ends. Guarded by this, as is the next. */
    private @Nullable Process running;

    private boolean killed;
    private final PrintWriter orders;
    private final BlockingQueue<String> marks = new LinkedBlockingQueue<>();
    private final Thread reader;
    private final Thread killer;
    private final long deadline;
    private final Duration limit;
    private volatile boolean overTime;
    private volatile String lastLine = "";
    private volatile String noMemory = "";

    /**
     * @param command what to start
     * @param folder  where it works, which is removed with it
     * @param log     where its words go
     * @param limit   when it is ended by force
     */
    SlipJvm(List<String> command, Path folder, Path log, Duration limit) {
        this.folder = folder;
        this.limit = limit;
        this.deadline = System.nanoTime() + limit.toNanos();
        this.killer = new Thread(this::kill);
        // before the process is there: once this one is ending, none may be started
        Runtime.getRuntime().addShutdownHook(killer);
        this.process = start(command);
        this.orders = new PrintWriter(process.outputWriter(), true);
        this.reader = new Thread(() -> read(log), "showdown-reader");
        reader.setDaemon(true);
        reader.start();
    }

    private synchronized Process start(List<String> command) {
        requireNotKilled();
        try {
            Process begun =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            running = begun;
            return begun;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.get(0), e);
        }
    }

    private synchronized void requireNotKilled() {
        if (killed) {
            throw new IllegalStateException("it was told to end");
        }
    }

    /** Ends the process and, when it writes no more, removes its folder. */
    private synchronized void kill() {
        killed = true;
        try {
            if (running != null) {
                running.destroyForcibly().waitFor(KILLED_SECONDS_MAX, TimeUnit.SECONDS);
            }
            if (Files.exists(folder)) {
                TempFolder.delete(folder);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(Path log) {
        try (BufferedReader lines = process.inputReader();
                PrintWriter file = new PrintWriter(Files.newBufferedWriter(log), true)) {
            for (String line; (line = lines.readLine()) != null; ) {
                file.println(line);
                if (line.startsWith("@")) {
                    marks.add(line);
                } else if (!line.isBlank()) {
                    lastLine = line.trim();
                }
                if (noMemory.isEmpty() && (line.contains(NO_HEAP) || line.contains(TOO_SMALL))) {
                    noMemory = line.trim();
                }
            }
        } catch (IOException e) {
            lastLine = e.toString();
        } finally {
            marks.add(GONE);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Whether it runs; one that is just ending gets a moment to do so. */
    boolean isAlive() throws InterruptedException {
        return !process.waitFor(ENDING_SECONDS_MAX, TimeUnit.SECONDS);
    }

    void tell(String order) {
        orders.println(order);
    }

    /** The words after this mark; nothing if the process ends first, by itself or because its time is over. */
    Optional<List<String>> await(String mark) throws InterruptedException {
        while (true) {
            String next = marks.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                overTime = true;
                process.destroyForcibly();
                return Optional.empty();
            }
            if (next.equals(GONE)) {
                marks.add(GONE);
                return Optional.empty();
            }
            List<String> words = List.of(next.split(" "));
            if (words.get(0).equals(mark)) {
                return Optional.of(words.subList(1, words.size()));
            }
        }
    }

    /**
     * Waits for its end, and says how that was.
     *
     * @throws IllegalStateException if that is because this process ends too: then it says nothing of the run
     */
    Ended end() throws InterruptedException {
        if (!process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            overTime = true;
            process.destroyForcibly();
        }
        reader.join(Duration.ofSeconds(KILLED_SECONDS_MAX));
        requireNotKilled();
        int code = process.waitFor();
        if (overTime) {
            return new Ended(Fate.OVER_TIME, "ended by force after its limit of " + limit.toSeconds() + " s");
        }
        if (code == 0) {
            return new Ended(Fate.FINISHED, "");
        }
        if (!noMemory.isEmpty()) {
            return new Ended(Fate.OUT_OF_MEMORY, shortened(noMemory));
        }
        return new Ended(Fate.INCOMPLETE, "exit code " + code + ": " + shortened(lastLine));
    }

    private static String shortened(String line) {
        return line.length() <= LAST_LINE_CHARS_MAX ? line : line.substring(0, LAST_LINE_CHARS_MAX) + "…";
    }

    @Override
    public void close() {
        kill();
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        } catch (IllegalStateException e) {
            // this process is ending, and the hook runs
        }
    }

    /** @param how in words; empty if it finished */
    record Ended(Fate fate, String how) {}

    /** How many slips it has written. */
    int slips() {
        Path slips = folder.resolve(SLIPS);
        if (!Files.isDirectory(slips)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(slips)) {
            return (int) files.filter(file -> file.toString().endsWith(".pdf")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
