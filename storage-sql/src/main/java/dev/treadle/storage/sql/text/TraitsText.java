package dev.treadle.storage.sql.text;

import dev.treadle.job.GateId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Lane;
import dev.treadle.job.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** What a job asks for, as the text in its body's row: JSON of what differs from the usual, null if nothing does. */
public final class TraitsText {
    private static final Logger LOG = LoggerFactory.getLogger(TraitsText.class);

    private TraitsText() {}

    /** Everything but the priority, which has a column of its own. */
    public static @Nullable String write(JobTraits traits) {
        // why compared first: they are the traits of nearly all jobs
        if (traits == JobTraits.DEFAULT || traits.withPriority(0).equals(JobTraits.DEFAULT)) {
            return null;
        }
        Map<String, Object> text = new LinkedHashMap<>();
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
            text.put("key", fields(traits.key()));
        }
        if (!traits.uses().isEmpty()) {
            text.put("uses", new TreeMap<>(traits.uses()));
        }
        if (!traits.headers().isEmpty()) {
            text.put("headers", new TreeMap<>(traits.headers()));
        }
        if (traits.deadline() != null) {
            text.put("deadline", traits.deadline().toString());
        }
        if (traits.gate() != null) {
            text.put("gate", traits.gate().toString());
        }
        if (traits.isFollowed()) {
            text.put("followed", true);
        }
        return JsonTree.write(text);
    }

    private static Map<String, Object> fields(KeyRule rule) {
        Map<String, Object> text = new LinkedHashMap<>();
        text.put("name", rule.key());
        if (rule instanceof KeyRule.Limit limit) {
            text.put("limit", limit.slots());
        } else if (rule instanceof KeyRule.Rate rate) {
            text.put("rate", rate.count());
            text.put("period", rate.period().toString());
        } else {
            text.put("skips", !rule.isHeldThroughout());
        }
        return text;
    }

    private static @Nullable GateId gate(@Nullable String text) {
        return text == null ? null : new GateId(UUID.fromString(text));
    }

    private static @Nullable KeyRule key(@Nullable Object tree) {
        Map<String, @Nullable Object> text = JsonTree.asFields(tree);
        if (text == null) {
            return null;
        }
        String name = String.valueOf(string(text, "name"));
        if (text.get("limit") instanceof Number limit) {
            return KeyRule.limit(name, limit.intValue());
        }
        if (text.get("rate") instanceof Number rate) {
            return KeyRule.rate(name, rate.intValue(), Duration.parse(String.valueOf(string(text, "period"))));
        }
        return new KeyRule.Mailbox(name, Boolean.TRUE.equals(text.get("skips")));
    }

    /** A word as it stands between the quotes. */
    public static String quoted(String word) {
        String json = JsonTree.write(word);
        return json.substring(1, json.length() - 1);
    }

    private static void words(Map<String, Object> text, String field, Collection<String> words) {
        if (!words.isEmpty()) {
            text.put(field, words.stream().sorted().toList());
        }
    }

    /** Fields that a later release wrote are passed over. A row that was spoilt by hand counts as the usual. */
    public static JobTraits read(int priority, @Nullable String text) {
        JobTraits traits = priority == 0 ? JobTraits.DEFAULT : JobTraits.DEFAULT.withPriority(priority);
        if (text == null) {
            return traits;
        }
        try {
            Map<String, @Nullable Object> fields = JsonTree.fields(text);
            String queue = string(fields, "queue");
            String retries = string(fields, "retries");
            String timeout = string(fields, "timeout");
            String deadline = string(fields, "deadline");
            return traits.withQueue(queue == null ? JobTraits.QUEUE_DEFAULT : queue)
                    .withRetries(retries == null ? null : RetryPolicy.parse(retries))
                    .withTimeout(timeout == null ? null : Duration.parse(timeout))
                    .withName(string(fields, "name"))
                    .withLabels(words(fields, "labels"))
                    .withTags(words(fields, "tags"))
                    .withKey(key(fields.get("key")))
                    .withUses(uses(fields.get("uses")))
                    .withHeaders(headers(fields.get("headers")))
                    .withDeadline(deadline == null ? null : Instant.parse(deadline))
                    .withGate(gate(string(fields, "gate")))
                    .withFollowed(Boolean.TRUE.equals(fields.get("followed")));
        } catch (JacksonException | IllegalArgumentException | java.time.DateTimeException e) {
            // why not thrown: one such row would stop every claim that meets it
            LOG.error("A job's traits cannot be read and count as the usual ones: {}", text, e);
            return traits;
        }
    }

    /** The tags of a lane, and after them what its jobs use if they use anything: the same text whatever their order. */
    public static String writeNeeds(Lane lane) {
        List<Object> needs = new ArrayList<>(new TreeSet<>(lane.tags()));
        if (!lane.uses().isEmpty()) {
            needs.add(new TreeMap<>(lane.uses()));
        }
        return JsonTree.write(needs);
    }

    /**
     * What a later release has written of needs that this one does not know is read as a tag that no node of this release
     * has, so that the lane is left to others instead of keeping this node from all lanes.
     */
    public static Lane readLane(String queue, String needs) {
        Set<String> tags = new HashSet<>();
        Map<String, Integer> uses = new HashMap<>();
        if (JsonTree.read(needs) instanceof List<?> all) {
            for (Object need : all) {
                if (need instanceof String tag) {
                    tags.add(tag);
                } else if (need instanceof Map<?, ?> amounts
                        && amounts.values().stream().allMatch(Integer.class::isInstance)) {
                    uses.putAll(uses(need));
                } else {
                    tags.add("not known to this release: " + need);
                }
            }
        }
        return new Lane(queue, tags, uses);
    }

    private static Map<String, Integer> uses(@Nullable Object tree) {
        Map<String, Integer> uses = new HashMap<>();
        Map<String, @Nullable Object> text = JsonTree.asFields(tree);
        if (text != null) {
            text.forEach((resource, amount) -> uses.put(resource, amount instanceof Number n ? n.intValue() : 0));
        }
        return uses;
    }

    private static Map<String, String> headers(@Nullable Object tree) {
        Map<String, String> headers = new HashMap<>();
        Map<String, @Nullable Object> text = JsonTree.asFields(tree);
        if (text != null) {
            text.forEach((name, value) -> headers.put(name, String.valueOf(value)));
        }
        return headers;
    }

    private static @Nullable String string(Map<String, @Nullable Object> fields, String field) {
        return fields.get(field) instanceof String text ? text : null;
    }

    private static String[] words(Map<String, @Nullable Object> fields, String field) {
        List<String> words = new ArrayList<>();
        if (fields.get(field) instanceof List<?> all) {
            all.forEach(word -> words.add(String.valueOf(word)));
        }
        return words.toArray(String[]::new);
    }
}
