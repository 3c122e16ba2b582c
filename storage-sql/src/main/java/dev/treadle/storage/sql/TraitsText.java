package dev.treadle.storage.sql;

import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
        if (traits.key() != null) {
            write(text.putObject("key"), traits.key());
        }
        return text.toString();
    }

    private static void write(ObjectNode text, KeyRule rule) {
        text.put("name", rule.key());
        if (rule instanceof KeyRule.Limit limit) {
            text.put("limit", limit.slots());
        } else if (rule instanceof KeyRule.Rate rate) {
            text.put("rate", rate.count()).put("period", rate.period().toString());
        } else {
            text.put("skips", !rule.isHeldThroughout());
        }
    }

    private static @Nullable KeyRule key(@Nullable JsonNode text) {
        if (text == null) {
            return null;
        }
        String name = String.valueOf(string(text, "name"));
        JsonNode limit = text.get("limit");
        JsonNode rate = text.get("rate");
        if (limit != null) {
            return KeyRule.limit(name, limit.intValue());
        }
        if (rate != null) {
            return KeyRule.rate(name, rate.intValue(), Duration.parse(String.valueOf(string(text, "period"))));
        }
        return new KeyRule.Mailbox(name, text.path("skips").asBoolean());
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
                    .withTags(words(fields, "tags"))
                    .withKey(key(fields.get("key")));
        } catch (JacksonException | IllegalArgumentException | java.time.DateTimeException e) {
            // why not thrown: one such row would stop every claim that meets it
            LOG.error("A job's traits cannot be read and count as the usual ones: {}", text, e);
            return traits;
        }
    }

    /** The tags of a lane, the same text whatever their order. */
    static String writeTags(Set<String> tags) {
        ArrayNode array = Json.MAPPER.createArrayNode();
        tags.stream().sorted().forEach(array::add);
        return array.toString();
    }

    static Set<String> readTags(String text) {
        Set<String> tags = new HashSet<>();
        Json.MAPPER.readTree(text).forEach(tag -> tags.add(tag.stringValue()));
        return tags;
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
