package dev.treadle.example.shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The shop in a process of its own, and what it answers. */
final class RunningShop implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(90);

    private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final Path printed;

    private RunningShop(Process process, Path printed) {
        this.process = process;
        this.printed = printed;
    }

    /**
     * @param home   of a JDK
     * @param path   what java is told to run: {@code -jar} or {@code -cp}, and what goes with it
     * @param folder for what it prints
     */
    static RunningShop start(Path home, List<String> path, Path folder, String... properties) throws IOException {
        List<String> all = new ArrayList<>(path);
        all.add("--server.port=0");
        for (String property : properties) {
            all.add("--" + property);
        }
        return run(home, all, folder);
    }

    /** @param arguments of java */
    static RunningShop run(Path home, List<String> arguments, Path folder) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(home.resolve("bin/java").toString());
        // a process of a few seconds starts sooner with the first compiler only
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"));
        command.addAll(arguments);
        Path printed = Files.createTempFile(folder, "printed", ".log");
        return new RunningShop(
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(printed.toFile())
                        .start(),
                printed);
    }

    /** The jar of this build. */
    static Path jar() {
        String jar = System.getProperty("shop.jar");
        if (jar == null || !Files.isRegularFile(Path.of(jar))) {
            throw new IllegalStateException("There is no " + jar + ": this test runs after the phase package.");
        }
        return Path.of(jar);
    }

    /** The JDK of this build, and a newer one with virtual threads where there is one. */
    static List<Path> jdks() {
        List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
        String virtual = System.getProperty("treadle.jdk.virtual.home", "none");
        if (!virtual.equals("none") && Runtime.version().feature() < 21) {
            homes.add(Path.of(virtual));
        }
        return homes;
    }

    /** The newest of them. */
    static Path newestJdk() {
        List<Path> homes = jdks();
        return homes.get(homes.size() - 1);
    }

    String printed() {
        try {
            return Files.readString(printed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often it has started: more than once if it restarts itself. */
    private List<Integer> ports() {
        List<Integer> ports = new ArrayList<>();
        Matcher started = STARTED.matcher(printed());
        while (started.find()) {
            ports.add(Integer.parseInt(started.group(1)));
        }
        return ports;
    }

    /** Returns when it has started so often. */
    RunningShop awaitStart(int times) {
        Awaitility.await().atMost(SOON).failFast(this::checkIsThere).until(() -> ports().size() >= times);
        return this;
    }

    private void checkIsThere() {
        if (!process.isAlive()) {
            throw new AssertionError("It has ended. It printed:\n" + printed());
        }
    }

    private URI uri(String path) {
        List<Integer> ports = ports();
        return URI.create("http://127.0.0.1:" + ports.get(ports.size() - 1) + path);
    }

    String get(String path) throws IOException, InterruptedException {
        return body(HttpRequest.newBuilder(uri(path)).GET());
    }

    /** @return the id of the order */
    String order() throws IOException, InterruptedException {
        String body = body(
                HttpRequest.newBuilder(uri("/orders?item=pens&pieces=3")).POST(HttpRequest.BodyPublishers.noBody()));
        return field(body, "id");
    }

    private String body(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request.timeout(SOON).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new AssertionError(answer.statusCode() + " " + answer.body() + "\n" + printed());
        }
        return answer.body();
    }

    /** The value of a field in flat JSON. */
    static String field(String json, String name) {
        Matcher field =
                Pattern.compile("\"" + name + "\":(?:\"([^\"]*)\"|([^,}\"]+))").matcher(json);
        if (!field.find()) {
            throw new AssertionError("no " + name + " in " + json);
        }
        return field.group(1) == null ? field.group(2) : field.group(1);
    }

    /** Returns when every order is sent and packed. */
    void awaitAllFinished() {
        Awaitility.await()
                .atMost(SOON)
                .failFast(this::checkIsThere)
                .until(() -> field(get("/"), "unfinished").equals("0"));
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /** Its exit code, once it has ended. */
    int end() throws InterruptedException {
        if (!process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("It does not end. It printed:\n" + printed());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
