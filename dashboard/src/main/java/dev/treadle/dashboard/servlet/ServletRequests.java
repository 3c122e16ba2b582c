package dev.treadle.dashboard.servlet;

import dev.treadle.dashboard.web.Request;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Requests of a servlet container as those of the dashboard. */
final class ServletRequests {
    /** What links may begin with. Containers pass on what clients wrote there, such as {@code //elsewhere/..;/jobs}. */
    private static final Pattern BASE = Pattern.compile("(/(?!\\.{1,2}(/|$))[A-Za-z0-9_.~%-]+)*");

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private ServletRequests() {}

    /**
     * Where a request goes.
     *
     * @param base what comes before the dashboard's own paths, "" or such as {@code /application/jobs}
     * @param path below it, decoded as the container's own rules about paths see it
     */
    record Place(String base, String path) {}

    /** Where a request goes; null if that is no place where links of the page could lead. */
    static @Nullable Place place(HttpServletRequest request) {
        boolean isDefault = request.getHttpServletMapping().getMappingMatch() == MappingMatch.DEFAULT;
        String base = request.getContextPath() + (isDefault ? "" : request.getServletPath());
        String path = isDefault ? request.getServletPath() : request.getPathInfo();
        return BASE.matcher(base).matches() ? new Place(base, path == null || path.isEmpty() ? "/" : path) : null;
    }

    /** The body; null if it is too long. */
    static byte @Nullable [] body(HttpServletRequest request) throws IOException {
        if (request.getContentLengthLong() > Request.BODY_BYTES_MAX) {
            return null;
        }
        byte[] body = request.getInputStream().readNBytes(Request.BODY_BYTES_MAX + 1);
        return body.length > Request.BODY_BYTES_MAX ? null : body;
    }

    static Request request(HttpServletRequest came, Place place, @Nullable Principal principal, byte[] body) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String name : Collections.list(came.getHeaderNames())) {
            headers.computeIfAbsent(name.toLowerCase(Locale.ROOT), unused -> new ArrayList<>())
                    .addAll(Collections.list(came.getHeaders(name)));
        }
        headers.put("host", List.of(host(came)));
        return new Request(
                came.getMethod(),
                place.base(),
                place.path(),
                Request.query(came.getQueryString()),
                headers,
                came.getRemoteAddr(),
                principal,
                body);
    }

    /** What the browser's address bar shows, if the container knows about the proxies before it. */
    private static String host(HttpServletRequest request) {
        String name = request.getServerName();
        String host = name.contains(":") && !name.startsWith("[") ? "[" + name + "]" : name;
        int usual = request.isSecure() ? HTTPS_PORT : HTTP_PORT;
        return request.getServerPort() == usual ? host : host + ":" + request.getServerPort();
    }
}
