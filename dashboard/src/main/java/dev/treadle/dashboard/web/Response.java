package dev.treadle.dashboard.web;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What goes back.
 *
 * @param status  of HTTP
 * @param headers each once
 * @param body    all of it; empty if there is a stream
 * @param stream  writes a body without end; null if there is none
 */
public record Response(
        int status,
        Map<String, String> headers,
        byte[] body,
        @Nullable Stream stream) {
    /** Every answer has them, also those that no route made. */
    private static final Map<String, String> USUAL = Map.of(
            "X-Content-Type-Options", "nosniff",
            "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
            "Cache-Control", "no-store");

    /** Writes until the other side or the server goes. */
    public interface Stream {
        /** Writes to the other side; returns when there is nothing more to say. */
        void to(OutputStream out) throws IOException, InterruptedException;
    }

    /** A whole body. */
    public static Response of(int status, String type, byte[] body) {
        return new Response(status, Map.of("Content-Type", type), body, null);
    }

    /** Nothing but a status. */
    public static Response empty(int status) {
        return new Response(status, Map.of(), new byte[0], null);
    }

    /** The same with a header more, or another value of it. */
    public Response with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Response(status, more, body, stream);
    }

    /** The headers to send: its own, and those that every answer has. */
    public Map<String, String> headersToSend() {
        Map<String, String> all = new LinkedHashMap<>(headers);
        USUAL.forEach(all::putIfAbsent);
        return all;
    }
}
