package dev.treadle.payload;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** The Jackson settings, which decide what stored arguments look like. */
final class Mapper {
    /** Deepest nesting written or read. */
    private static final int DEPTH_MAX = 200;

    /** The longest number that is read, in characters. Longer ones would take long to read. */
    private static final int NUMBER_DIGITS_MAX = 65_536;

    private Mapper() {}

    /**
     * The binding. It is made when it is first needed, because that takes a tenth of a second.
     *
     * @throws UnusableBindingException if the versions on the class path do not fit together
     */
    static JsonMapper shared() {
        if (Shared.MAPPER == null) {
            throw new UnusableBindingException(Shared.FAILURE);
        }
        return Shared.MAPPER;
    }

    /** The syntax alone, without the binding: it needs no annotations and few classes. */
    static JsonFactory syntax() {
        return Syntax.FACTORY;
    }

    private static final class Syntax {
        private static final JsonFactory FACTORY = factory();
    }

    private static final class Shared {
        private static final @Nullable JsonMapper MAPPER;
        private static final @Nullable LinkageError FAILURE;

        static {
            JsonMapper made = null;
            LinkageError failure = null;
            try {
                made = create();
                // a type that the binding takes for a bean, so that this checks what beans need to be read and written
                made.readValue("{}", StackTraceElement.class);
                made.writeValueAsString(new StackTraceElement("type", "method", null, 1));
            } catch (LinkageError e) {
                made = null;
                failure = e;
            }
            MAPPER = made;
            FAILURE = failure;
        }
    }

    /** The syntax and its limits. */
    private static JsonFactory factory() {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .maxDocumentLength(JsonArguments.ARGUMENT_BYTES_CEILING)
                        .maxStringLength(JsonArguments.ARGUMENT_BYTES_CEILING)
                        .maxNumberLength(NUMBER_DIGITS_MAX)
                        .build())
                .streamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .build())
                .build();
    }

    private static JsonMapper create() {
        return JsonMapper.builder(Syntax.FACTORY)
                // a rolling deploy that removes or adds a field must not break stored jobs
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                // a value that would be read as a different one must fail
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                // a value inside an array is followed by others; JsonArguments checks the end itself
                .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
                // toString is for people and may change; the name identifies the constant
                .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING)
                .disable(EnumFeature.READ_ENUMS_USING_TO_STRING)
                // 09:00+02:00 must not come back as 07:00Z
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .disable(DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                // a set with an order keeps it
                .addModule(new SimpleModule()
                        .addAbstractTypeMapping(Set.class, LinkedHashSet.class)
                        .setDeserializerModifier(new AbsentPrimitives()))
                .addModule(new KotlinBinding())
                .build();
    }
}
