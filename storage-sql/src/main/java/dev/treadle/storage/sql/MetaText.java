package dev.treadle.storage.sql;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A job's words about itself, as the text in their row: a JSON object, null if there are none. */
final class MetaText {
    private static final JsonMapper JSON = new JsonMapper();

    private static final Logger LOG = LoggerFactory.getLogger(MetaText.class);

    private MetaText() {}

    static @Nullable String write(Map<String, String> meta) {
        if (meta.isEmpty()) {
            return null;
        }
        ObjectNode text = JSON.createObjectNode();
        meta.forEach(text::put);
        return text.toString();
    }

    static Map<String, String> read(@Nullable String text) {
        Map<String, String> meta = new LinkedHashMap<>();
        if (text == null) {
            return meta;
        }
        try {
            for (Map.Entry<String, JsonNode> entry : JSON.readTree(text).properties()) {
                meta.put(entry.getKey(), entry.getValue().stringValue());
            }
        } catch (JacksonException e) {
            LOG.error("What a job says of itself cannot be read: {}", text, e);
        }
        return meta;
    }
}
