package dev.treadle.dashboard.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a browser or program asked, below the dashboard's base path.
 *
 * @param method    as it came, such as {@code GET}
 * @param base      the path under which the dashboard was asked for, "" or such as {@code /jobs}
 * @param path      without base path and query; begins with a slash
 * @param query     the first value of each parameter, decoded
 * @param headers   by names in lower case
 * @param remote    the address it came from
 * @param principal who asks, as the server says that mounts the dashboard; null if it says nothing
 * @param body      at most {@value #BODY_BYTES_MAX} bytes
 */
public record Request(
        String method,
        String base,
        String path,
        Map<String, String> query,
        Map<String, List<String>> headers,
        String remote,
        @Nullable Principal principal,
        byte[] body) {
    /** Longest body that is read, in bytes. */
    public static final int BODY_BYTES_MAX = 64 * 1024;

    /** A request of a user whom the server does not know, to a dashboard at the root. */
    public Request(
            String method,
            String path,
            Map<String, String> query,
            Map<String, List<String>> headers,
            String remote,
            byte[] body) {
        this(method, "", path, query, headers, remote, null, body);
    }

    /** The parameters of a query as it came: the first value of each, decoded. */
    public static Map<String, String> query(@Nullable String raw) {
        Map<String, String> query = new LinkedHashMap<>();
        for (String pair : raw == null || raw.isEmpty() ? new String[0] : raw.split("&")) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            query.putIfAbsent(decoded(name), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
        }
        return query;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    /** A header that must come once; null if it does not come, or more than once. */
    public @Nullable String header(String name) {
        List<String> values = headers.get(name.toLowerCase(Locale.ROOT));
        return values == null || values.size() != 1 ? null : values.get(0);
    }

    /** Whether a header came at all. */
    public boolean has(String name) {
        List<String> values = headers.get(name.toLowerCase(Locale.ROOT));
        return values != null && !values.isEmpty();
    }

    /** All values of a header that lists things, in their order, whether they came in one line or several. */
    public List<String> list(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream()
                .flatMap(line -> Arrays.stream(line.split(",")))
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
    }

    /** The same, as it was asked of a proxy: from this address, and under this host name unless that is null. */
    public Request asAskedOfProxy(String client, @Nullable String host) {
        Map<String, List<String>> seen = new LinkedHashMap<>(headers);
        if (host != null) {
            seen.put("host", List.of(host));
        }
        return new Request(method, base, path, query, seen, client, principal, body);
    }

    /** The same, asked for under this base path. */
    public Request under(String base) {
        return new Request(method, base, path, query, headers, remote, principal, body);
    }

    /** Whether this asks for nothing to change. */
    public boolean isRead() {
        return method.equals("GET") || method.equals("HEAD");
    }
}
