package dev.treadle.payload;

import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;

/** Splits a JSON object into its fields, or an array into its elements, as JSON text that keeps every digit. */
final class JsonParts {
    private JsonParts() {}

    /**
     * @param hidden names of fields whose values are replaced, at any depth below a part
     * @return the parts by their names, or by their positions from 0, in order
     */
    static Map<String, String> of(String json, Set<String> hidden, String instead) {
        Map<String, String> parts = new LinkedHashMap<>();
        try (JsonParser in = parser(json)) {
            boolean isObject = in.nextToken() == JsonToken.START_OBJECT;
            for (JsonToken token; (token = in.nextToken()) != null && !token.isStructEnd(); ) {
                String name = isObject ? in.currentName() : String.valueOf(parts.size());
                if (isObject) {
                    in.nextToken();
                }
                StringWriter text = new StringWriter();
                try (JsonGenerator out = Mapper.syntax().createGenerator(ObjectWriteContext.empty(), text)) {
                    copy(in, out, hidden, instead);
                }
                parts.put(name, text.toString());
            }
        }
        return parts;
    }

    /** A part as people read it: a text without its quotes. */
    static String text(String part) {
        if (!part.startsWith("\"")) {
            return part;
        }
        try (JsonParser in = parser(part)) {
            in.nextToken();
            return in.getString();
        }
    }

    private static JsonParser parser(String json) {
        return Mapper.syntax().createParser(ObjectReadContext.empty(), json);
    }

    private static void copy(JsonParser in, JsonGenerator out, Set<String> hidden, String instead) {
        int depth = 0;
        do {
            JsonToken token = in.currentToken();
            if (token.isStructStart()) {
                depth++;
            } else if (token.isStructEnd()) {
                depth--;
            }
            if (token.isNumeric()) {
                out.writeNumber(in.getString());
            } else if (token == JsonToken.PROPERTY_NAME && hidden.contains(in.currentName())) {
                out.writeStringProperty(in.currentName(), instead);
                in.nextToken();
                in.skipChildren();
            } else {
                out.copyCurrentEvent(in);
            }
        } while (depth > 0 && in.nextToken() != null);
    }
}
