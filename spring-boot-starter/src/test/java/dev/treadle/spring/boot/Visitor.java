package dev.treadle.spring.boot;

import java.io.IOException;
import java.io.InputStream;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.context.ConfigurableApplicationContext;

/** A browser in front of an application, as far as sessions, forms and headers go. It follows no redirects. */
final class Visitor {
    private static final Pattern CSRF = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

    private final CookieManager cookies = new CookieManager();
    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(cookies).build();
    private final String url;
    private final Map<String, String> headers = new LinkedHashMap<>(Map.of("Accept", "application/json"));

    Visitor(ConfigurableApplicationContext application) {
        this.url = "http://127.0.0.1:"
                + Objects.requireNonNull(application.getEnvironment().getProperty("local.server.port"));
    }

    /** Brings this header from now on. */
    Visitor with(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** Signs in by the form of Spring Security; the password is the name. */
    Visitor signIn(String context, String name) throws IOException, InterruptedException {
        Matcher token = CSRF.matcher(get(context + "/login").body());
        if (!token.find()) {
            throw new IllegalStateException("There is no form to sign in.");
        }
        String form = "username=" + name + "&password=" + name + "&_csrf="
                + URLEncoder.encode(token.group(1), StandardCharsets.UTF_8);
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(url + context + "/login"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(form))
                        .build(),
                BodyHandlers.ofString());
        if (answer.statusCode() != 302
                || answer.headers().firstValue("Location").orElse("").contains("error")) {
            throw new IllegalStateException(name + " could not sign in: " + answer);
        }
        return this;
    }

    /** What the page asks first; it keeps the header that it has to send with its writes. */
    String me(String dashboard) throws IOException, InterruptedException {
        HttpResponse<String> answer = get(dashboard + "/api/v1/me");
        answer.headers().firstValue("X-Treadle-Write-Header").ifPresent(header -> {
            String[] parts = header.split(": ", 2);
            headers.put(parts[0], parts[1]);
        });
        return answer.body();
    }

    /** A cookie that the application has set. */
    String cookie(String name) {
        return cookies.getCookieStore().getCookies().stream()
                .filter(cookie -> cookie.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    /** Begins to read what does not end. */
    InputStream stream(String path) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
        headers.forEach(request::header);
        HttpResponse<InputStream> answer = client.send(request.build(), BodyHandlers.ofInputStream());
        if (answer.statusCode() != 200 || answer.body().read() < 0) {
            throw new IllegalStateException("There is no stream: " + answer);
        }
        return answer.body();
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path, null);
    }

    /** Posts JSON as the page does. */
    HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
        return send("POST", path, json);
    }

    private HttpResponse<String> send(String method, String path, String json)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(60));
        headers.forEach(request::header);
        if (json != null) {
            request.header("Content-Type", "application/json").header("X-Treadle-Request", "1");
        }
        request.method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
