package dev.treadle.storage.sql.text;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/**
 * The little JSON in rows as maps, lists, texts, numbers and truth values. Only the syntax is Jackson's: its binding takes a
 * tenth of a second of a start, and does not load beside old annotations.
 */
final class JsonTree {
    private static final class Syntax {
        private static final JsonFactory FACTORY = new JsonFactory();
    }

    private JsonTree() {}

    static String write(Object tree) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = Syntax.FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            write(out, tree);
        }
        return text.toString();
    }

    private static void write(JsonGenerator out, Object tree) {
        if (tree instanceof Map<?, ?> fields) {
            out.writeStartObject();
            fields.forEach((name, value) -> {
                out.writeName((String) name);
                write(out, value);
            });
            out.writeEndObject();
        } else if (tree instanceof Iterable<?> all) {
            out.writeStartArray();
            all.forEach(one -> write(out, one));
            out.writeEndArray();
        } else if (tree instanceof Number number) {
            out.writeNumber(number.longValue());
        } else if (tree instanceof Boolean holds) {
            out.writeBoolean(holds);
        } else {
            out.writeString((String) tree);
        }
    }

    /** @throws JacksonException if it is no JSON */
    static @Nullable Object read(String text) {
        try (JsonParser in = Syntax.FACTORY.createParser(ObjectReadContext.empty(), text)) {
            return value(in, in.nextToken());
        }
    }

    /**
     * The fields of an object.
     *
     * @throws JacksonException if it is none
     */
    static Map<String, @Nullable Object> fields(String text) {
        Map<String, @Nullable Object> fields = asFields(read(text));
        if (fields == null) {
            throw new StreamReadException("It is no JSON object");
        }
        return fields;
    }

    /** The same tree as the fields of an object; null if it is none. */
    @SuppressWarnings("unchecked")
    static @Nullable Map<String, @Nullable Object> asFields(@Nullable Object tree) {
        return tree instanceof Map<?, ?> ? (Map<String, @Nullable Object>) tree : null;
    }

    private static @Nullable Object value(JsonParser in, @Nullable JsonToken token) {
        if (token == null) {
            throw new StreamReadException(in, "The text ends too early");
        }
        return switch (token) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                    fields.put(in.currentName(), value(in, in.nextToken()));
                }
                yield fields;
            }
            case START_ARRAY -> {
                List<@Nullable Object> all = new ArrayList<>();
                for (JsonToken next; (next = in.nextToken()) != JsonToken.END_ARRAY; ) {
                    all.add(value(in, next));
                }
                yield all;
            }
            case VALUE_STRING -> in.getString();
            case VALUE_NUMBER_INT -> in.getNumberValue();
            case VALUE_NUMBER_FLOAT -> in.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new StreamReadException(in, "No value but " + token);
        };
    }
}
