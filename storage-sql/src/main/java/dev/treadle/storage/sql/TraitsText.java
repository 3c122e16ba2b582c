package dev.treadle.storage.sql;

import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Lane;
import dev.treadle.job.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
        if (!traits.uses().isEmpty()) {
            write(text.putObject("uses"), traits.uses());
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
                    .withKey(key(fields.get("key")))
                    .withUses(uses(fields.get("uses")));
        } catch (JacksonException | IllegalArgumentException | java.time.DateTimeException e) {
            // why not thrown: one such row would stop every claim that meets it
            LOG.error("A job's traits cannot be read and count as the usual ones: {}", text, e);
            return traits;
        }
    }

    /** The tags of a lane, and after them what its jobs use if they use anything: the same text whatever their order. */
    static String writeNeeds(Lane lane) {
        ArrayNode array = Json.MAPPER.createArrayNode();
        lane.tags().stream().sorted().forEach(array::add);
        if (!lane.uses().isEmpty()) {
            write(array.addObject(), lane.uses());
        }
        return array.toString();
    }

    /**
     * What a later release has written of needs that this one does not know is read as a tag that no node of this release
     * has, so that the lane is left to others instead of keeping this node from all lanes.
     */
    static Lane readLane(String queue, String needs) {
        Set<String> tags = new HashSet<>();
        Map<String, Integer> uses = new HashMap<>();
        for (JsonNode need : Json.MAPPER.readTree(needs)) {
            if (need.isString()) {
                tags.add(need.stringValue());
            } else if (need.isObject() && need.valueStream().allMatch(JsonNode::isInt)) {
                uses.putAll(uses(need));
            } else {
                tags.add("not known to this release: " + need);
            }
        }
        return new Lane(queue, tags, uses);
    }

    private static void write(ObjectNode text, Map<String, Integer> uses) {
        uses.keySet().stream().sorted().forEach(resource -> text.put(resource, uses.get(resource)));
    }

    private static Map<String, Integer> uses(@Nullable JsonNode text) {
        Map<String, Integer> uses = new HashMap<>();
        if (text != null) {
            text.properties()
                    .forEach(use -> uses.put(use.getKey(), use.getValue().intValue()));
        }
        return uses;
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
