package dev.treadle.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.Tree;
import dev.treadle.architecture.Sources.Source;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;

/** Finds names that are used twice: words in the glossary, and exported types of this project. */
final class Names {
    private static final Pattern WORD = Pattern.compile("^\\| \\*\\*(.+?)\\*\\* \\|", Pattern.MULTILINE);
    private static final Pattern EXPORT = Pattern.compile("^\\s*exports\\s+([\\w.]+)\\s*;", Pattern.MULTILINE);

    private Names() {}

    /** The words that the glossary of a text defines, in their order. */
    static List<String> glossary(String architecture) {
        String heading = "\n## Glossary\n";
        int begin = architecture.indexOf(heading);
        if (begin < 0) {
            throw new IllegalArgumentException("There is no glossary.");
        }
        int end = architecture.indexOf("\n## ", begin + heading.length());
        String section = architecture.substring(begin, end < 0 ? architecture.length() : end);
        List<String> words = new ArrayList<>();
        for (Matcher row = WORD.matcher(section); row.find(); ) {
            words.add(row.group(1));
        }
        return words;
    }

    /** The words that are in a list more than once, whatever their case. */
    static Set<String> twice(List<String> words) {
        Set<String> seen = new HashSet<>();
        Set<String> twice = new TreeSet<>();
        for (String word : words) {
            String lower = word.toLowerCase(Locale.ROOT);
            if (!seen.add(lower)) {
                twice.add(lower);
            }
        }
        return twice;
    }

    /** The packages that a {@code module-info.java} exports to everyone. */
    static Set<String> exportedPackages(String moduleInfo) {
        Set<String> packages = new TreeSet<>();
        for (Matcher export = EXPORT.matcher(moduleInfo); export.find(); ) {
            packages.add(export.group(1));
        }
        return packages;
    }

    /** Adds the public top-level types of exported packages by their simple names. */
    static void collect(List<Source> sources, Set<String> exported, Map<String, Set<String>> bySimpleName) {
        for (Source source : sources) {
            if (source.tree().getPackageName() == null) {
                continue;
            }
            String owner = source.tree().getPackageName().toString();
            for (Tree declared : source.tree().getTypeDecls()) {
                if (declared instanceof ClassTree type
                        && exported.contains(owner)
                        && type.getModifiers().getFlags().contains(Modifier.PUBLIC)) {
                    String name = type.getSimpleName().toString();
                    bySimpleName
                            .computeIfAbsent(name, unseen -> new TreeSet<>())
                            .add(owner + "." + name);
                }
            }
        }
    }

    /** The names that several types share. */
    static Map<String, Set<String>> shared(Map<String, Set<String>> bySimpleName) {
        Map<String, Set<String>> shared = new TreeMap<>(bySimpleName);
        shared.values().removeIf(types -> types.size() < 2);
        return shared;
    }
}
