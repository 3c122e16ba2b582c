package dev.treadle.payload;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;

/** JSON as maps, lists, text, numbers that keep every digit, and truth values. Needs no binding. */
final class JsonTree {
    private static final int LONG_DIGITS = 18;

    private JsonTree() {}

    static Object read(String json) {
        try (JsonParser in = Mapper.syntax().createParser(ObjectReadContext.empty(), json)) {
            in.nextToken();
            Object tree = value(in);
            if (tree == null) {
                throw new IllegalArgumentException("the text is null");
            }
            return tree;
        }
    }

    static String write(Object tree) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = Mapper.syntax().createGenerator(ObjectWriteContext.empty(), text)) {
            write(out, tree);
        }
        return text.toString();
    }

    private static @Nullable Object value(JsonParser in) {
        JsonToken token = in.currentToken();
        return switch (token) {
            case START_OBJECT -> object(in);
            case START_ARRAY -> array(in);
            case VALUE_STRING -> in.getString();
            case VALUE_NUMBER_INT -> integer(in.getString());
            case VALUE_NUMBER_FLOAT -> decimal(in.getString());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IllegalArgumentException("there is " + token + " where a value should be");
        };
    }

    private static Map<String, @Nullable Object> object(JsonParser in) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            in.nextToken();
            fields.put(name, value(in));
        }
        return fields;
    }

    private static List<@Nullable Object> array(JsonParser in) {
        List<@Nullable Object> elements = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value(in));
        }
        return elements;
    }

    private static Number integer(String text) {
        if (text.length() <= LONG_DIGITS) {
            return Long.valueOf(text);
        }
        BigInteger number = new BigInteger(text);
        return number.bitLength() < Long.SIZE ? (Number) number.longValue() : number;
    }

    private static Number decimal(String text) {
        BigDecimal number = new BigDecimal(text);
        // a decimal number has no negative zero
        return number.signum() == 0 && text.startsWith("-") ? (Number) (-0.0) : number;
    }

    private static void write(JsonGenerator out, @Nullable Object value) {
        if (value instanceof Map<?, ?> fields) {
            out.writeStartObject();
            fields.forEach((name, field) -> {
                out.writeName(String.valueOf(name));
                write(out, field);
            });
            out.writeEndObject();
        } else if (value instanceof Iterable<?> elements) {
            out.writeStartArray();
            elements.forEach(element -> write(out, element));
            out.writeEndArray();
        } else if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isFinite(number)) {
                out.writeNumber(value.toString());
            } else {
                out.writeString(value.toString());
            }
        } else if (value instanceof Number number) {
            out.writeNumber(number.toString());
        } else if (value instanceof Boolean is) {
            out.writeBoolean(is);
        } else if (value == null) {
            out.writeNull();
        } else if (value instanceof CharSequence || value instanceof Enum<?> || value instanceof java.util.UUID) {
            out.writeString(value instanceof Enum<?> constant ? constant.name() : value.toString());
        } else {
            throw new UnreadableArgumentsException(
                    "An upcast put a " + value.getClass().getName()
                            + " into the arguments. Put in text, numbers, truth values, maps and lists only.",
                    null);
        }
    }
}
