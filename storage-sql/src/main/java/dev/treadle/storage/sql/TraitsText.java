package dev.treadle.storage.sql;

import dev.treadle.job.JobTraits;
import dev.treadle.job.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a job asks for, as the text in its body's row: JSON of what differs from the usual, null if nothing does. */
final class TraitsText {
    private static final Logger LOG = LoggerFactory.getLogger(TraitsText.class);

    /** Made when a job first asks for something: most never do, and a start is to be quick. */
    private static final class Json {
        static final JsonMapper MAPPER = new JsonMapper();
    }

    private TraitsText() {}

    /** Everything but the priority, which has a column of its own. */
    static @Nullable String write(JobTraits traits) {
        if (traits.withPriority(0).equals(JobTraits.DEFAULT)) {
            return null;
        }
        ObjectNode text = Json.MAPPER.createObjectNode();
        if (!traits.queue().equals(JobTraits.QUEUE_DEFAULT)) {
            text.put("queue", traits.queue());
        }
        if (traits.retries() != null) {
            text.put("retries", traits.retries().toText());
        }
        if (traits.timeout() != null) {
            text.put("timeout", traits.timeout().toString());
        }
        if (traits.name() != null) {
            text.put("name", traits.name());
        }
        words(text, "labels", traits.labels());
        words(text, "tags", traits.tags());
        return text.toString();
    }

    /** A word as it stands between the quotes. */
    static String quoted(String word) {
        String json = Json.MAPPER.writeValueAsString(word);
        return json.substring(1, json.length() - 1);
    }

    private static void words(ObjectNode text, String field, Collection<String> words) {
        if (!words.isEmpty()) {
            ArrayNode array = text.putArray(field);
            words.stream().sorted().forEach(array::add);
        }
    }

    /** Fields that a later release wrote are passed over. A row that was spoilt by hand counts as the usual. */
    static JobTraits read(int priority, @Nullable String text) {
        JobTraits traits = JobTraits.DEFAULT.withPriority(priority);
        if (text == null) {
            return traits;
        }
        try {
            JsonNode fields = Json.MAPPER.readTree(text);
            String queue = string(fields, "queue");
            String retries = string(fields, "retries");
            String timeout = string(fields, "timeout");
            return traits.withQueue(queue == null ? JobTraits.QUEUE_DEFAULT : queue)
                    .withRetries(retries == null ? null : RetryPolicy.parse(retries))
                    .withTimeout(timeout == null ? null : Duration.parse(timeout))
                    .withName(string(fields, "name"))
                    .withLabels(words(fields, "labels"))
                    .withTags(words(fields, "tags"));
        } catch (JacksonException | IllegalArgumentException | java.time.DateTimeException e) {
            // why not thrown: one such row would stop every claim that meets it
            LOG.error("A job's traits cannot be read and count as the usual ones: {}", text, e);
            return traits;
        }
    }

    private static @Nullable String string(JsonNode fields, String field) {
        JsonNode value = fields.get(field);
        return value == null || value.isNull() ? null : value.stringValue();
    }

    private static String[] words(JsonNode fields, String field) {
        List<String> words = new ArrayList<>();
        JsonNode array = fields.get(field);
        if (array != null) {
            array.forEach(word -> words.add(word.stringValue()));
        }
        return words.toArray(String[]::new);
    }
}
