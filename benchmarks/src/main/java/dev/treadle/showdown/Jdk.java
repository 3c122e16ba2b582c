package dev.treadle.showdown;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;

/**
 * A JDK of this machine.
 *
 * @param feature such as 17
 * @param home    its folder
 */
record Jdk(int feature, Path home) {
    /** From this one on there are virtual threads. */
    static final int VIRTUAL_MIN = 21;

    /** @param lines one {@code <feature> <folder>} per line, as the launcher finds them */
    static List<Jdk> parse(String lines) {
        return lines.lines()
                .filter(line -> !line.isBlank())
                .map(line -> line.trim().split(" ", 2))
                .map(words -> new Jdk(Integer.parseInt(words[0]), Path.of(words[1])))
                .sorted(Comparator.comparingInt(Jdk::feature))
                .toList();
    }

    /** The one that this runs on. */
    static Jdk own() {
        return new Jdk(Runtime.version().feature(), Path.of(System.getProperty("java.home")));
    }

    /** As its folder says, such as {@code 25.0.3+9-LTS (Eclipse Adoptium)}. */
    String version() {
        Properties release = new Properties();
        try (Reader in = Files.newBufferedReader(home.resolve("release"))) {
            release.load(in);
        } catch (IOException e) {
            return Integer.toString(feature);
        }
        String version = release.getProperty("JAVA_RUNTIME_VERSION", release.getProperty("JAVA_VERSION", "" + feature));
        return (version + " (" + release.getProperty("IMPLEMENTOR", "unknown") + ")").replace("\"", "");
    }

    boolean hasVirtualThreads() {
        return feature >= VIRTUAL_MIN;
    }
}
