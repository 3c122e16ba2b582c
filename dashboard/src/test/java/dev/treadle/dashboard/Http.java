package dev.treadle.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sends requests as they are written, so that a test can say what a browser or client library would not let it say. */
final class Http {
    private final URI to;
    private final Map<String, String> usual = new LinkedHashMap<>();

    Http(URI to) {
        this.to = to;
        usual.put("Host", to.getAuthority());
        usual.put("Connection", "close");
    }

    /** The same, signed in. */
    Http as(String name, String password) {
        return with(
                "Authorization",
                "Basic "
                        + Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8)));
    }

    /** The same with a header, or without it where the value is empty. */
    Http with(String name, String value) {
        Http other = new Http(to);
        other.usual.putAll(usual);
        if (value.isEmpty()) {
            other.usual.remove(name);
        } else {
            other.usual.put(name, value);
        }
        return other;
    }

    /** The same as our own page sends what changes something. */
    Http writing() {
        return with("X-Treadle-Request", "1").with("Content-Type", "application/json");
    }

    Answer get(String path) throws IOException {
        return send("GET", path, "");
    }

    Answer send(String method, String path, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        usual.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Content-Length: ").append(bytes.length).append("\r\n\r\n");
        try (Socket socket = new Socket(to.getHost(), to.getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return Answer.read(socket.getInputStream(), path.contains("/events"));
        }
    }

    /** What came back. */
    record Answer(int status, Map<String, String> headers, String body) {
        static Answer read(InputStream in, boolean headAlone) throws IOException {
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int one = in.read();
                if (one < 0) {
                    break;
                }
                head.append((char) one);
            }
            String[] lines = head.toString().split("\r\n");
            Map<String, String> headers = new LinkedHashMap<>();
            for (int i = 1; i < lines.length; i++) {
                int colon = lines[i].indexOf(':');
                headers.put(
                        lines[i].substring(0, colon).toLowerCase(java.util.Locale.ROOT),
                        lines[i].substring(colon + 1).strip());
            }
            int status = lines[0].isEmpty() ? 0 : Integer.parseInt(lines[0].split(" ")[1]);
            String body = headAlone && status == 200 ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(status, headers, body);
        }
    }
}
