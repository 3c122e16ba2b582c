package dev.treadle.example.slip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.treadle.Treadle;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code ./treadle}, as far as it builds nothing, and what it starts. */
@Timeout(180)
class LauncherTest {
    private static final Path SCRIPT = Path.of("..", "treadle").toAbsolutePath().normalize();
    /** Read for its functions, as on a machine of another user, without VisualVM and without windows. */
    private static final String FUNCTIONS =
            "source '" + SCRIPT + "'; can_install() { false; }; jdk_with_windows() { :; }; ";

    @TempDir
    private Path folder;

    record Ended(int code, String out, String err) {}

    @BeforeAll
    static void needsBash() {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "There is no bash on this machine.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"visualvm", "simulate", "search", "test", "format", "setup"})
    void each_command_has_a_page_of_help_that_builds_and_installs_nothing(String command) throws Exception {
        for (String[] asked : new String[][] {{command, "--help"}, {command, "more", "-h"}}) {
            Ended help = treadle(asked);

            assertEquals(0, help.code(), help::toString);
            assertTrue(help.out().startsWith("Usage: ./treadle " + command), help::toString);
            assertEquals("", help.err());
        }
    }

    @Test
    void the_page_of_all_commands_names_each() throws Exception {
        Ended help = treadle("help");

        assertEquals(0, help.code());
        for (String command : List.of(
                "demo",
                "spring",
                "visualvm",
                "simulate",
                "bench",
                "showdown",
                "search",
                "test",
                "format",
                "setup",
                "help")) {
            assertTrue(help.out().contains("\n  " + command + " "), command);
        }
        assertEquals(help, treadle());
        assertEquals(help, treadle("--help"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jump      | treadle: There is no command 'jump'.
            setup now | treadle: setup takes no options, and 'now' is one. See ./treadle setup --help
            """)
    void what_is_not_there_is_refused_in_one_line(String arguments, String message) throws Exception {
        Ended ended = treadle(arguments.split(" "));

        assertEquals(2, ended.code(), ended::toString);
        assertEquals(message.replace('"', '\''), ended.err().lines().findFirst().orElse(""));
        assertEquals("", ended.out());
    }

    /** A checkout with the script, something built, and a JDK that says of itself what is said here. */
    private String checkout(int java, String makes) throws IOException {
        Path jdk = Files.createDirectories(folder.resolve("jdk/bin"));
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"" + java + ".0.1\"\n");
        for (String tool : List.of("java", "javac", "jar")) {
            Path script =
                    Files.writeString(jdk.resolve(tool), "#!/bin/bash\n" + (tool.equals("java") ? makes : "exit 0"));
            assertTrue(script.toFile().setExecutable(true));
        }
        Path root = folder.resolve("checkout");
        Files.createDirectories(root.resolve("demo/target/classes"));
        Files.writeString(root.resolve("demo/target/runtime.classpath"), "/some.jar");
        Files.createDirectories(root.resolve("target"));
        Files.writeString(root.resolve("target/built-demo"), "");
        Files.copy(SCRIPT, root.resolve("treadle"));
        return "export JAVA_HOME='" + folder.resolve("jdk") + "'; source '" + root.resolve("treadle") + "'; ";
    }

    private static final String USE =
            "use_cache demo classes runtime Main --few; echo \"${jvm_options[*]:-none} in ${run_path:-usual}\"; ";

    @Test
    void a_cache_is_made_once_and_used_from_then_on() throws Exception {
        String functions = checkout(25, "echo \"$*\" >>'" + folder + "/ran'; f=${1#*=}; echo cache >\"$f\"");

        Ended first = run(Map.of(), "-c", functions + USE);
        Ended second = run(Map.of(), "-c", functions + USE);

        assertEquals(0, first.code(), first::toString);
        assertTrue(first.err().contains("Making the JVM's cache"), first::toString);
        assertTrue(first.out().startsWith("-XX:AOTCache=" + folder.toRealPath()), first::toString);
        assertTrue(first.out().contains("/demo.jar:/some.jar"), first::toString);
        assertEquals(first.out(), second.out());
        assertEquals("", second.err());
        List<String> ran = Files.readAllLines(folder.resolve("ran"));
        assertEquals(1, ran.size(), ran::toString);
        assertTrue(ran.get(0).endsWith(" Main --few"), ran::toString);
    }

    @Test
    void a_cache_that_cannot_be_made_is_told_once_and_nothing_fails() throws Exception {
        String functions = checkout(25, "echo no >&2; exit 1");

        Ended first = run(Map.of(), "-c", functions + USE);
        Ended second = run(Map.of(), "-c", functions + USE);

        assertEquals(0, first.code(), first::toString);
        assertTrue(first.err().contains("There is none, and it goes on without"), first::toString);
        assertEquals("none in usual\n", first.out());
        assertEquals(new Ended(0, "none in usual\n", ""), second);
    }

    @ParameterizedTest
    @CsvSource({"24, on", "25, off"})
    void a_jdk_that_knows_no_such_cache_and_whoever_wants_none_are_left_alone(int java, String wanted)
            throws Exception {
        String functions = checkout(java, "exit 1");

        assertEquals(new Ended(0, "none in usual\n", ""), run(Map.of("TREADLE_CACHE", wanted), "-c", functions + USE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "80", "65536", "99999999999999999999", "-1"})
    void a_port_out_of_range_is_refused(String port) throws Exception {
        Ended ended = run(Map.of("TREADLE_JMX_PORT", port), SCRIPT.toString(), "visualvm");

        assertEquals(2, ended.code(), ended::toString);
        assertEquals("treadle: TREADLE_JMX_PORT takes a port from 1024 to 65535, not '" + port + "'.\n", ended.err());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''  | There is no display here, so VisualVM is not opened.
            :77 | There is no VisualVM here, or no JDK that can open windows.
            """)
    void without_visualvm_the_exact_steps_are_told(String display, String why) throws Exception {
        assumeTrue(!System.getProperty("os.name").startsWith("Mac"), "A Mac has a display without saying so.");

        Ended ended = run(Map.of("DISPLAY", display), "-c", FUNCTIONS + "watch_with_visualvm 9123");

        assertEquals(0, ended.code(), ended::toString);
        List<String> told = ended.err().lines().toList();
        assertTrue(told.get(0).startsWith(why), ended.err());
        assertTrue(told.get(0).endsWith("The demo starts with JMX open on 127.0.0.1:9123. To watch it:"), ended.err());
        assertTrue(
                told.get(1).matches(" +elsewhere first: +ssh -N -L 9123:127\\.0\\.0\\.1:9123 \\S+@\\S+"), ended.err());
        assertTrue(told.get(2).contains("visualvm --openjmx 127.0.0.1:9123 "), ended.err());
        assertTrue(told.get(2).endsWith("sudo apt-get install -y visualvm default-jdk)"), ended.err());
        assertTrue(told.get(3).contains("jconsole 127.0.0.1:9123 "), ended.err());
    }

    @Test
    void jmx_answers_on_loopback_with_the_mbeans_and_nowhere_else() throws Exception {
        for (Object permits = null; permits == null; ) {
            int port = freePort();
            Process process = watched(port);
            try {
                permits = permits(port, process);
                if (permits == null) {
                    // somebody else was given the port meanwhile
                    continue;
                }
                assertEquals(7L, permits);
                for (InetAddress other : elsewhere()) {
                    assertThrows(IOException.class, () -> connect(other, port), () -> other + " is open too");
                }
                connect(InetAddress.getByName("127.0.0.1"), port);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private Process watched(int port) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        run(Map.of(), "-c", FUNCTIONS + "jmx_options " + port).out().lines().forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Watched.class.getName()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile())
                .start();
    }

    /** What an MBean says, as soon as there is one; null if the port was taken. */
    private @Nullable Object permits(int port, Process process) throws Exception {
        while (process.isAlive()) {
            try (JMXConnector connector = JMXConnectorFactory.connect(
                    new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi"))) {
                MBeanServerConnection server = connector.getMBeanServerConnection();
                Set<ObjectName> names = server.queryNames(new ObjectName("dev.treadle:type=Server,*"), null);
                if (!names.isEmpty()) {
                    return server.getAttribute(names.iterator().next(), "Permits");
                }
            } catch (IOException e) {
                // it is starting
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        String printed = Files.readString(folder.resolve("printed"));
        assertTrue(printed.contains("in use"), printed);
        return null;
    }

    /** All addresses of this machine but the one, and one of loopback that nobody listens on who means that one. */
    private static List<InetAddress> elsewhere() throws IOException {
        List<InetAddress> others = new ArrayList<>();
        others.add(InetAddress.getByName("127.0.0.2"));
        NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress())
                .forEach(others::add);
        return others;
    }

    private static void connect(InetAddress address, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 10_000);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    /** What is watched: a server that has nothing to do. */
    static final class Watched {
        private Watched() {}

        public static void main(String[] args) throws InterruptedException {
            Treadle treadle = Treadle.on(new InMemoryStorageProvider())
                    .settings(JobServerSettings.DEFAULT.withWorkers(7))
                    .start();
            // no longer than the test may take
            TimeUnit.MINUTES.sleep(3);
            treadle.close();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --help   | 0 | ./treadle demo: a company's salary slips | ''
            -h       | 0 | ./treadle demo: a company's salary slips | ''
            --colour | 2 | ''                                       | There is no option '--colour'. ./treadle demo --help
            --storage=memory --out=/dev/null/x | 2 | ''             | cannot write into /dev/null/x (FileSystemException). Name
            --data=/dev/null/x                 | 2 | ''             | another folder with --data.
            """)
    void the_demo_has_a_page_of_help_and_refuses_what_it_does_not_know(
            String arguments, int code, String out, String err) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Demo.class.getName()));
        command.addAll(List.of(arguments.split(" ")));
        Ended ended = ended(new ProcessBuilder(command));

        assertEquals(code, ended.code(), ended::toString);
        assertTrue(ended.out().startsWith(out), ended::toString);
        assertFalse(code == 0 && !ended.err().isEmpty(), ended::toString);
        assertTrue(ended.err().contains(err), ended::toString);
    }

    private Ended treadle(String... arguments) throws Exception {
        return run(
                Map.of(),
                Stream.concat(Stream.of(SCRIPT.toString()), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private Ended run(Map<String, String> environment, String... bash) throws Exception {
        List<String> command = new ArrayList<>(List.of("/bin/bash"));
        command.addAll(List.of(bash));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeAll(Set.of("DISPLAY", "WAYLAND_DISPLAY", "TREADLE_JMX_PORT"));
        builder.environment().putAll(environment);
        return ended(builder);
    }

    private Ended ended(ProcessBuilder builder) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
            return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }
}
