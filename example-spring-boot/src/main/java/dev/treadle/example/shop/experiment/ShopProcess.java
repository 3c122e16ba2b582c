package dev.treadle.example.shop.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The shop in a process of its own, on a free port of loopback. */
final class ShopProcess implements AutoCloseable {
    private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");
    private static final int START_SECONDS_MAX = 180;
    private static final int STOP_SECONDS_MAX = 60;

    private final Process process;
    private final Path printed;

    private ShopProcess(Process process, Path printed) {
        this.process = process;
        this.printed = printed;
    }

    /** @param folder where its database lives, and what it prints */
    static ShopProcess start(Class<?> main, Setup setup, String heap, Path folder) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + heap);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        setup.properties().forEach(one -> command.add("--" + one));
        command.addAll(List.of(
                "--spring.profiles.active=" + Watch.PROFILE,
                "--spring.datasource.url=jdbc:h2:file:" + folder.resolve("shop")
                        + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE",
                // whatever else is logged, it says where it listens
                "--logging.level.org.springframework.boot.tomcat=info",
                // room for connections that come at once
                "--server.tomcat.accept-count=2000",
                "--server.port=0"));
        Path printed = folder.resolve("printed");
        return new ShopProcess(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(printed.toFile())
                        .start(),
                printed);
    }

    /** Where it listens, once it does. */
    int port() throws IOException, InterruptedException {
        for (long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
                process.isAlive() && System.nanoTime() < until; ) {
            Matcher started = STARTED.matcher(Files.readString(printed));
            if (started.find()) {
                return Integer.parseInt(started.group(1));
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new IOException("The shop did not start. It printed:\n" + Files.readString(printed));
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        throw new IOException("The shop did not stop. It printed:\n" + Files.readString(printed));
    }
}
