package dev.treadle.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every setting that users can make is on docs/settings.md, or on the page that its table links to. */
class SettingsPageTest {
    /** Where users make settings. Found by file name, in whichever package they are. */
    private static final Map<String, Pattern> SETTINGS = Map.of(
            "JobServerSettings.java", with(),
            "QueueSettings.java", with(),
            "RetryPolicy.java", with(),
            "RecurringRules.java", with(),
            "JobOptions.java", with(),
            "HeapGuardSettings.java", with(),
            "SqlStorageSettings.java", with(),
            "Treadle.java", builder(),
            "Dashboard.java", builder());

    /** Those that only gather others. */
    private static final Set<String> GATHER = Set.of("withTraits", "withMore", "withAdmission", "withServing");

    private static Pattern with() {
        return Pattern.compile("public \\w+ (with[A-Z]\\w*)\\(");
    }

    private static Pattern builder() {
        return Pattern.compile("public (?:<.+> )?Builder (\\w+)\\(");
    }

    @Test
    void each_setting_is_on_the_page() throws IOException {
        String pages =
                Files.readString(Pages.page("docs/settings.md")) + Files.readString(Pages.page("docs/resources.md"));
        List<String> missing = new ArrayList<>();
        Map<String, Set<String>> found = found();
        found.forEach((file, settings) -> settings.stream()
                .filter(setting -> !isOn(pages, setting))
                .forEach(setting -> missing.add(file + ": " + setting)));

        assertEquals(SETTINGS.keySet(), found.keySet());
        found.forEach((file, settings) -> assertFalse(settings.isEmpty(), file));
        assertEquals(List.of(), missing);
    }

    @Test
    void a_setting_that_is_not_there_is_missed() {
        assertFalse(isOn("| `workers` | and withPatience |", "withPatience"));
        assertFalse(isOn("| `workers` |", "withWork"));
    }

    /** As {@code withWorkers}, {@code withWorkers(n)} or, of a record, {@code workers}. */
    private static boolean isOn(String pages, String setting) {
        String bare = setting.replaceFirst("^with", "");
        String component = Character.toLowerCase(bare.charAt(0)) + bare.substring(1);
        return Stream.of(setting, component)
                .anyMatch(name ->
                        Pattern.compile("`" + name + "[`(]").matcher(pages).find());
    }

    private static Map<String, Set<String>> found() throws IOException {
        Map<String, Set<String>> found = new TreeMap<>();
        for (Path folder : CoreClasses.sourcesOfAllModules()) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(
                                one -> SETTINGS.containsKey(one.getFileName().toString()))
                        .toList()) {
                    String name = file.getFileName().toString();
                    Matcher setting = SETTINGS.get(name).matcher(Files.readString(file));
                    while (setting.find()) {
                        if (!GATHER.contains(setting.group(1))) {
                            found.computeIfAbsent(name, key -> new TreeSet<>()).add(setting.group(1));
                        }
                    }
                }
            }
        }
        return found;
    }
}
