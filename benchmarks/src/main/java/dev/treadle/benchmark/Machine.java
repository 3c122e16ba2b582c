package dev.treadle.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.stream.Stream;

/** What was measured on, in one line: figures without it mean nothing. */
public final class Machine {
    private Machine() {}

    /** Date, cores, memory, system and this Java, in one line. */
    public static String line() {
        return hardware() + ", " + System.getProperty("java.vm.name") + " " + Runtime.version()
                + ", workers and database together";
    }

    /** The same without Java. */
    public static String hardware() {
        return LocalDate.now() + ", " + Runtime.getRuntime().availableProcessors() + " cores ("
                + find("/proc/cpuinfo", "model name") + "), memory " + find("/proc/meminfo", "MemTotal") + ", "
                + System.getProperty("os.name") + " " + System.getProperty("os.version");
    }

    private static String find(String file, String name) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
