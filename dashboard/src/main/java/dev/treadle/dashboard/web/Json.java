package dev.treadle.dashboard.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** How the API writes and reads JSON: nulls are left out, times are ISO 8601. Thread-safe. */
public final class Json {
    private static final int DEPTH_MAX = 50;
    private final JsonMapper mapper;

    /**
     * The one set of settings.
     *
     * @throws IllegalStateException if the parts of Jackson on the class path do not fit together
     */
    public Json() {
        try {
            mapper = made();
            // why such a type: it is taken for a bean, so that what a bean needs to be read and written is looked for
            mapper.readValue("{}", StackTraceElement.class);
            mapper.writeValueAsString(new StackTraceElement("type", "method", null, 1));
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "The dashboard cannot start, because Jackson's databind does not find what it needs (" + e
                            + "): the jackson-annotations on the class path are too old for it, mostly because a BOM such as"
                            + " Spring Boot 3's pins them. Put com.fasterxml.jackson.core:jackson-annotations 2.22 or newer"
                            + " into your dependencyManagement, or tools.jackson.core:jackson-databind 3.0.x, which takes"
                            + " older ones.",
                    e);
        }
    }

    private static JsonMapper made() {
        return JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(DEPTH_MAX)
                                .build())
                        .build())
                .changeDefaultPropertyInclusion(include -> include.withValueInclusion(JsonInclude.Include.NON_NULL))
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
    }

    /** A value as bytes. */
    public byte[] bytes(Object value) {
        return mapper.writeValueAsBytes(value);
    }

    /** A good answer. */
    public Response ok(Object value) {
        return Response.of(200, "application/json", bytes(value));
    }

    /**
     * Reads the body of a request; an empty one is an empty object.
     *
     * @throws Problem if it is not JSON of that shape
     */
    public <T> T read(Request request, Class<T> type) {
        byte[] body = request.body().length == 0 ? "{}".getBytes(StandardCharsets.US_ASCII) : request.body();
        try {
            refuseCharacter0(body);
            T value = mapper.readValue(body, type);
            if (value == null) {
                throw Problem.bad("The body is null, and an object is expected here.");
            }
            return value;
        } catch (JacksonException e) {
            throw Problem.bad("The body is not the JSON that is expected here: " + e.getOriginalMessage());
        }
    }

    /**
     * Sees to it that a text is one value of JSON.
     *
     * @throws Problem if it is not
     */
    public void demandValue(byte[] text) {
        try {
            if (mapper.readTree(text).isMissingNode()) {
                throw Problem.bad("The value is empty, and JSON is expected here.");
            }
        } catch (JacksonException e) {
            throw Problem.bad("The value is not JSON: " + e.getOriginalMessage());
        }
    }

    private void refuseCharacter0(byte[] body) {
        try (JsonParser in = mapper.createParser(body)) {
            for (JsonToken token; (token = in.nextToken()) != null; ) {
                boolean isText = token == JsonToken.PROPERTY_NAME || token == JsonToken.VALUE_STRING;
                if (isText && in.getString().indexOf('\0') >= 0) {
                    throw Problem.bad("The body has the character 0, which no database keeps. Leave it out.");
                }
            }
        }
    }
}
