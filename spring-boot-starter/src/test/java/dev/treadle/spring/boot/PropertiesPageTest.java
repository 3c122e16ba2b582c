package dev.treadle.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each property is described for IDEs, and stands on docs/spring.md. */
class PropertiesPageTest {
    private static final int PROPERTIES_MIN = 30;

    @Test
    void each_property_is_described_and_on_the_page() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "spring.md"));
        List<String> missing = new ArrayList<>();
        int properties = 0;
        for (JsonNode property : metadata().get("properties")) {
            String name = property.get("name").asString();
            // those that others add stand on pages of their own
            if (isOurs(property)) {
                properties++;
                String last = name.substring(name.lastIndexOf('.') + 1);
                if (property.path("description").asString("").isBlank()) {
                    missing.add(name + " has no description");
                }
                if (!page.contains("`" + name + "`")
                        && !page.contains("`" + last + "`")
                        && !page.contains(name + ".<name>")) {
                    missing.add(name + " is not on docs/spring.md");
                }
            }
        }

        assertThat(properties).isGreaterThanOrEqualTo(PROPERTIES_MIN);
        assertThat(missing).isEmpty();
    }

    @Test
    void the_executors_are_suggested() throws IOException {
        assertThat(metadata().get("hints").toString()).contains("treadle.server.executor", "\"virtual\"");
    }

    private static boolean isOurs(JsonNode property) {
        String source = property.path("sourceType").asString("");
        return source.startsWith(TreadleProperties.class.getName())
                || source.startsWith(TreadleServerProperties.class.getName())
                || source.startsWith(TreadleStorageProperties.class.getName())
                || source.startsWith(TreadleDashboardProperties.class.getName());
    }

    private static JsonNode metadata() throws IOException {
        try (InputStream file = PropertiesPageTest.class
                .getClassLoader()
                .getResourceAsStream("META-INF/spring-configuration-metadata.json")) {
            return JsonMapper.shared().readTree(file);
        }
    }
}
