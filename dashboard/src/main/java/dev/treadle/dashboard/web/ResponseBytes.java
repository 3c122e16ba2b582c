package dev.treadle.dashboard.web;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/** Answers as they go over the wire: head and body in one piece, so that neither waits for the other's acknowledgement. */
final class ResponseBytes {
    private static final Map<Integer, String> WORDS = Map.ofEntries(
            Map.entry(200, "OK"),
            Map.entry(202, "Accepted"),
            Map.entry(204, "No Content"),
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(409, "Conflict"),
            Map.entry(411, "Length Required"),
            Map.entry(413, "Content Too Large"),
            Map.entry(421, "Misdirected Request"),
            Map.entry(429, "Too Many Requests"),
            Map.entry(431, "Request Header Fields Too Large"),
            Map.entry(500, "Internal Server Error"),
            Map.entry(503, "Service Unavailable"));

    private ResponseBytes() {}

    /** A whole answer; to a HEAD without its body. */
    static ByteBuffer of(Response response, boolean closes, boolean head) {
        byte[] body = response.body();
        StringBuilder text = begin(response);
        boolean hasBody = response.stream() == null && response.status() != 204;
        if (hasBody) {
            text.append("Content-Length: ").append(body.length).append("\r\n");
        }
        text.append("Connection: ").append(closes ? "close" : "keep-alive").append("\r\n\r\n");
        byte[] first = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer all = ByteBuffer.allocate(first.length + (head || !hasBody ? 0 : body.length));
        all.put(first);
        if (all.hasRemaining()) {
            all.put(body);
        }
        return all.flip();
    }

    /** The head of an answer that ends with its connection. */
    static byte[] headOfStream(Response response) {
        return begin(response).append("Connection: close\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static StringBuilder begin(Response response) {
        StringBuilder text = new StringBuilder("HTTP/1.1 ")
                .append(response.status())
                .append(' ')
                .append(WORDS.getOrDefault(response.status(), "Answer"))
                .append("\r\nDate: ")
                .append(DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)))
                .append("\r\n");
        response.headersToSend().forEach((name, value) -> header(text, name, value));
        return text;
    }

    /** A line break in a value would begin another header. */
    private static void header(StringBuilder text, String name, String value) {
        text.append(name)
                .append(": ")
                .append(value.replaceAll("[\\x00-\\x1f\\x7f]", " "))
                .append("\r\n");
    }
}
