package dev.treadle.payload;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Writes and reads values of one declared type. */
final class Codec {
    private final ObjectWriter writer;
    private final ObjectReader reader;

    Codec(JsonMapper mapper, Type type) {
        JavaType bound = mapper.constructType(type);
        this.writer = mapper.writerFor(bound);
        this.reader = mapper.readerFor(bound);
    }

    void write(JsonGenerator out, @Nullable Object value) {
        if (value == null) {
            out.writeNull();
        } else {
            writer.writeValue(out, value);
        }
    }

    @Nullable
    Object read(JsonParser in) {
        return reader.readValue(in);
    }
}
