package dev.treadle.spring.boot;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.web.SecurityFilterChain;

/** Asks filter chains, before there is any request, whether they would take one to the dashboard. */
final class ProbeRequest {
    private static final Logger LOG = LoggerFactory.getLogger(ProbeRequest.class);

    private final Map<String, Object> attributes = new HashMap<>();
    private final HttpServletRequest request;

    ProbeRequest(ServletContext context, String path) {
        String below = "/api/v1/me";
        HttpServletMapping mapping = proxy(
                HttpServletMapping.class,
                Map.of(
                        "getMappingMatch",
                        MappingMatch.PATH,
                        "getMatchValue",
                        below.substring(1),
                        "getPattern",
                        path + "/*",
                        "getServletName",
                        "treadleDashboard"));
        Map<String, Object> answers = new HashMap<>();
        answers.put("getMethod", "GET");
        answers.put("getContextPath", context.getContextPath());
        answers.put("getServletPath", path);
        answers.put("getPathInfo", below);
        answers.put("getRequestURI", context.getContextPath() + path + below);
        answers.put("getRequestURL", new StringBuffer("http://localhost" + context.getContextPath() + path + below));
        answers.put("getHttpServletMapping", mapping);
        answers.put("getServletContext", context);
        answers.put("getDispatcherType", DispatcherType.REQUEST);
        answers.put("getScheme", "http");
        answers.put("getServerName", "localhost");
        answers.put("getServerPort", 80);
        answers.put("getProtocol", "HTTP/1.1");
        answers.put("getRemoteAddr", "127.0.0.1");
        answers.put("getLocale", Locale.ROOT);
        answers.put("getParameterMap", Map.of());
        request = proxy(HttpServletRequest.class, answers);
    }

    boolean isMatchedBy(SecurityFilterChain chain) {
        try {
            return chain.matches(request) && !chain.getFilters().isEmpty();
        } catch (RuntimeException e) {
            // why true: it looks at more than the path, and a request of nobody is refused later anyway
            LOG.debug("It cannot be said before a request whether {} takes one.", chain, e);
            return true;
        }
    }

    private <T> T proxy(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                ProbeRequest.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> switch (method.getName()) {
                    case "toString" -> answers.toString();
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> self == arguments[0];
                    case "getAttribute" -> attributes.get(String.valueOf(arguments[0]));
                    case "setAttribute" -> attributes.put(String.valueOf(arguments[0]), arguments[1]);
                    case "removeAttribute" -> attributes.remove(String.valueOf(arguments[0]));
                    default ->
                        answers.containsKey(method.getName())
                                ? answers.get(method.getName())
                                : nothing(method.getReturnType());
                }));
    }

    private static @Nullable Object nothing(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type == int.class) {
            return -1;
        }
        if (type == long.class) {
            return -1L;
        }
        return type == java.util.Enumeration.class ? Collections.emptyEnumeration() : null;
    }
}
