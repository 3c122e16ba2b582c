package dev.treadle.benchmark;

/** Work as JSON by hand: what a program without a library would write, and as short as what the libraries write. */
final class BarePayload {
    private BarePayload() {}

    static String write(Work work) {
        return "{\"number\":" + work.number() + ",\"sentAt\":" + work.sentAt() + ",\"millis\":" + work.millis() + "}";
    }

    static Work read(String json) {
        return new Work(
                (int) number(json, "\"number\":"), number(json, "\"sentAt\":"), (int) number(json, "\"millis\":"));
    }

    private static long number(String json, String field) {
        int from = json.indexOf(field) + field.length();
        int to = from;
        while (json.charAt(to) != ',' && json.charAt(to) != '}') {
            to++;
        }
        return Long.parseLong(json, from, to, 10);
    }
}
