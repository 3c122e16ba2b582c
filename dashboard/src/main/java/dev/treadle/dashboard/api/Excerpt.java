package dev.treadle.dashboard.api;

import java.io.StringWriter;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;

/** The beginning of JSON that was cut off somewhere, without what is marked in it: read piece by piece until it ends. */
final class Excerpt {
    private static final JsonFactory JSON = new JsonFactory();
    /** Stands where the text was cut off. */
    private static final String CUT = "…";

    private Excerpt() {}

    static String of(String arguments, Marks marks) {
        StringWriter text = new StringWriter(arguments.length());
        boolean whole = false;
        try (JsonGenerator out = JSON.createGenerator(tools.jackson.core.ObjectWriteContext.empty(), text);
                JsonParser in = JSON.createParser(tools.jackson.core.ObjectReadContext.empty(), arguments)) {
            whole = copy(in, out, marks);
        } catch (JacksonException e) {
            // it was cut off here, or is no JSON: what came before has been written
        }
        return whole ? text.toString() : text + CUT;
    }

    private static boolean copy(JsonParser in, JsonGenerator out, Marks marks) {
        int depth = 0;
        int position = 0;
        boolean array = false;
        for (JsonToken token; (token = in.nextToken()) != null; ) {
            boolean marked =
                    depth == 1 && array && isValue(token) && marks.positions().contains(position);
            position += depth == 1 && isValue(token) ? 1 : 0;
            if (depth == 0) {
                array = token == JsonToken.START_ARRAY;
            }
            if (token == JsonToken.PROPERTY_NAME && marks.names().contains(in.currentName())) {
                out.writeName(in.currentName());
                in.nextToken();
                marked = true;
            }
            if (marked) {
                out.writeString(Redactor.HIDDEN);
                in.skipChildren();
            } else {
                out.copyCurrentEvent(in);
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            }
        }
        return depth == 0;
    }

    private static boolean isValue(JsonToken token) {
        return token.isScalarValue() || token.isStructStart();
    }
}
