package dev.treadle.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Enough of JSON Schema for what our description uses: references, objects, arrays, plain types, enums, bounds. */
final class Schemas {
    private final JsonNode api;
    private final JsonMapper json = new JsonMapper();

    Schemas(JsonNode api) {
        this.api = api;
    }

    /** What is wrong with a value; nothing if it is as described and has no field that is not. */
    List<String> wrong(JsonNode value, JsonNode schema, String where) {
        List<String> wrong = new ArrayList<>();
        check(value, schema, where, wrong);
        return wrong;
    }

    JsonNode named(String name) {
        return api.get("components").get("schemas").get(name);
    }

    private JsonNode resolved(JsonNode schema) {
        return schema.has("$ref")
                ? named(schema.get("$ref").stringValue().replace("#/components/schemas/", ""))
                : schema;
    }

    private void check(JsonNode value, JsonNode unresolved, String where, List<String> wrong) {
        JsonNode schema = resolved(unresolved);
        boolean right = switch (schema.get("type").stringValue()) {
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            default -> value.isObject();
        };
        if (!right || schema.has("enum") && schema.get("enum").valueStream().noneMatch(value::equals)) {
            wrong.add(where + " is " + value);
        } else if (value.isArray()) {
            value.forEach(one -> check(one, schema.get("items"), where + "[]", wrong));
        } else if (value.isObject() && schema.has("additionalProperties")) {
            value.properties()
                    .forEach(field -> check(
                            field.getValue(), schema.get("additionalProperties"), where + "." + field.getKey(), wrong));
        } else if (value.isObject() && schema.has("properties")) {
            fields(value, schema, where, wrong);
        }
    }

    private void fields(JsonNode value, JsonNode schema, String where, List<String> wrong) {
        if (schema.has("required")) {
            schema.get("required").forEach(name -> {
                if (!value.has(name.stringValue())) {
                    wrong.add(where + " lacks " + name);
                }
            });
        }
        value.properties().forEach(field -> {
            JsonNode property = schema.get("properties").get(field.getKey());
            if (property == null) {
                wrong.add(where + " has " + field.getKey() + ", which is not described");
            } else {
                check(field.getValue(), property, where + "." + field.getKey(), wrong);
            }
        });
    }

    /** A value as described, or one that is not where the dice say so; words are taken from these. */
    JsonNode some(JsonNode unresolved, Random dice, List<String> words, double wild) {
        JsonNode schema = resolved(unresolved);
        if (dice.nextDouble() < wild) {
            return wild(dice, words);
        }
        if (schema.has("enum")) {
            return schema.get("enum").get(dice.nextInt(schema.get("enum").size()));
        }
        return switch (schema.get("type").stringValue()) {
            case "integer", "number" -> json.getNodeFactory().numberNode(number(schema, dice));
            case "boolean" -> json.getNodeFactory().booleanNode(dice.nextBoolean());
            case "array" -> array(schema, dice, words, wild);
            case "object" -> object(schema, dice, words, wild);
            default -> json.getNodeFactory().stringNode(words.get(dice.nextInt(words.size())));
        };
    }

    private static long number(JsonNode schema, Random dice) {
        long min = schema.has("minimum") ? schema.get("minimum").longValue() : -2;
        long max = schema.has("maximum") ? schema.get("maximum").longValue() : 300;
        return min + (long) (dice.nextDouble() * (max - min + 1));
    }

    private ArrayNode array(JsonNode schema, Random dice, List<String> words, double wild) {
        ArrayNode array = json.createArrayNode();
        for (int i = dice.nextInt(3); i > 0; i--) {
            array.add(some(schema.get("items"), dice, words, wild));
        }
        return array;
    }

    private ObjectNode object(JsonNode schema, Random dice, List<String> words, double wild) {
        ObjectNode object = json.createObjectNode();
        List<String> required = schema.has("required")
                ? schema.get("required")
                        .valueStream()
                        .map(JsonNode::stringValue)
                        .toList()
                : List.of();
        if (schema.has("properties")) {
            schema.get("properties").properties().forEach(field -> {
                if (dice.nextDouble() >= wild / 2 && (required.contains(field.getKey()) || dice.nextBoolean())) {
                    object.set(field.getKey(), some(field.getValue(), dice, words, wild));
                }
            });
        }
        if (dice.nextDouble() < wild) {
            object.set(words.get(dice.nextInt(words.size())), wild(dice, words));
        }
        return object;
    }

    private JsonNode wild(Random dice, List<String> words) {
        var nodes = json.getNodeFactory();
        return switch (dice.nextInt(8)) {
            case 0 -> nodes.nullNode();
            case 1 -> nodes.numberNode(Long.MIN_VALUE + dice.nextInt(2));
            case 2 -> nodes.numberNode(dice.nextDouble() * 1e308);
            case 3 -> nodes.booleanNode(dice.nextBoolean());
            case 4 -> nodes.stringNode("x".repeat(dice.nextInt(4_000)));
            case 5 -> json.createArrayNode().add(words.get(dice.nextInt(words.size())));
            case 6 -> json.createObjectNode().put(words.get(dice.nextInt(words.size())), 1);
            default -> nodes.stringNode(noise(dice));
        };
    }

    /** Any characters, halves of pairs and those that nobody sees among them. */
    static String noise(Random dice) {
        StringBuilder text = new StringBuilder();
        for (int i = dice.nextInt(20); i >= 0; i--) {
            text.append((char) (dice.nextBoolean() ? dice.nextInt(0x80) : dice.nextInt(0x10000)));
        }
        return text.toString();
    }
}
