package dev.treadle.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Markdown pages of this project. */
final class Pages {
    /** {@code .editorconfig} says the same. */
    static final int COLUMNS_MAX = 120;

    private static final Path PROJECT = CoreClasses.folder().resolve("../../..").normalize();
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

    private Pages() {}

    /** Those at the root and below {@code docs}. */
    static List<Path> all() throws IOException {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> root = Files.list(PROJECT);
                Stream<Path> docs = Files.walk(PROJECT.resolve("docs"))) {
            Stream.concat(root, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .forEach(pages::add);
        }
        return pages;
    }

    static Path page(String name) {
        return PROJECT.resolve(name);
    }

    /** As in {@code docs/queues.md}. */
    static String name(Path file) {
        return PROJECT.relativize(file.toAbsolutePath().normalize()).toString().replace('\\', '/');
    }

    /** Lines of prose that are too long. Tables, code, pictures and what {@code bench --doc} prints are as long as they are. */
    static List<String> tooLong(String name, List<String> lines) {
        List<String> broken = new ArrayList<>();
        boolean code = false;
        boolean printed = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            code ^= line.strip().startsWith("```");
            printed = printed ? !line.startsWith("<!-- /bench") : line.startsWith("<!-- bench:");
            boolean free = code || printed || line.startsWith("|") || line.startsWith("    ") || line.startsWith("![");
            if (!free && line.length() > COLUMNS_MAX && line.strip().contains(" ")) {
                broken.add(name + ":" + (i + 1) + " has " + line.length() + " columns; wrap it at " + COLUMNS_MAX);
            }
        }
        return broken;
    }

    /** Links to files or headings of this project that are not there. */
    static List<String> deadLinks(Path page) throws IOException {
        List<String> dead = new ArrayList<>();
        Matcher link = LINK.matcher(Files.readString(page));
        while (link.find()) {
            String[] target = link.group(1).split("#", 2);
            if (target[0].contains(":")) {
                continue;
            }
            Path file =
                    target[0].isEmpty() ? page : page.resolveSibling(target[0]).normalize();
            if (!Files.exists(file) || target.length > 1 && !headings(file).contains(target[1])) {
                dead.add(name(page) + " links to " + link.group(1) + ", which is not there");
            }
        }
        return dead;
    }

    /** The anchors of a page's headings, as GitHub makes them. */
    private static Set<String> headings(Path page) throws IOException {
        Set<String> anchors = new TreeSet<>();
        for (String line : Files.readAllLines(page)) {
            if (line.startsWith("#")) {
                anchors.add(line.replaceFirst("#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'));
            }
        }
        return anchors;
    }
}
