package dev.treadle.storage.sql.text;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** A job's words about itself, as the text in their row: a JSON object, null if there are none. */
public final class MetaText {
    private static final Logger LOG = LoggerFactory.getLogger(MetaText.class);

    private MetaText() {}

    public static @Nullable String write(Map<String, String> meta) {
        return meta.isEmpty() ? null : JsonTree.write(meta);
    }

    public static Map<String, String> read(@Nullable String text) {
        Map<String, String> meta = new LinkedHashMap<>();
        if (text == null) {
            return meta;
        }
        try {
            JsonTree.fields(text).forEach((name, value) -> meta.put(name, String.valueOf(value)));
        } catch (JacksonException e) {
            LOG.error("The metadata of a job cannot be read: {}", text, e);
        }
        return meta;
    }
}
