package dev.treadle.cdi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/cdi.md lists the properties that are read, and no others. */
class CdiPageTest {
    private static final Pattern PROPERTY = Pattern.compile("`(treadle\\.[a-z.-]+)`");

    @Test
    void all_properties() throws IOException {
        Set<String> listed = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of("../docs/cdi.md"))) {
            String name = line.startsWith("| `treadle.") ? line.substring(0, line.indexOf('|', 1)) : "";
            for (Matcher property = PROPERTY.matcher(name); property.find(); ) {
                listed.add(property.group(1));
            }
        }

        assertEquals(listed, read());
    }

    private static Set<String> read() {
        Set<String> asked = new TreeSet<>();
        Settings settings = new Settings(new ApplicationProperties(name -> {
            asked.add(name);
            return null;
        }));
        assertTrue(settings.hasServer());
        settings.storage();
        try (InMemoryStorageProvider storage = new InMemoryStorageProvider()) {
            settings.applyTo(Treadle.on(storage));
        }
        return asked;
    }
}
