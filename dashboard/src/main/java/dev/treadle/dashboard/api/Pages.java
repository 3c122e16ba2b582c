package dev.treadle.dashboard.api;

import dev.treadle.dashboard.api.Route.Call;
import dev.treadle.dashboard.web.Files;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Request;
import dev.treadle.dashboard.web.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The page: one document for every view, its scripts and its looks. */
final class Pages {
    /** Every view has its address, so that links and reloads work. */
    static final List<String> VIEWS = List.of(
            "/",
            "/jobs",
            "/jobs/{id}",
            "/failures",
            "/recurring",
            "/queues",
            "/servers",
            "/servers/{id}",
            "/problems",
            "/audit",
            "/docs");

    static final List<String> FILES = List.of(
            "app.js",
            "app.css",
            "icon.svg",
            "api.js",
            "live.js",
            "format.js",
            "chart.js",
            "parts.js",
            "overview.js",
            "jobs.js",
            "bulk.js",
            "job.js",
            "told.js",
            "steps.js",
            "gates.js",
            "failures.js",
            "recurring.js",
            "queues.js",
            "servers.js",
            "admission.js",
            "more.js",
            "lib/lit-html.js",
            "lib/directive.js",
            "lib/directive-helpers.js",
            "lib/directives/repeat.js");

    private final Files files = new Files(Pages.class, "/dev/treadle/dashboard/page", FILES);
    private final String title;
    private final byte[] openApi;

    Pages(String title, byte[] openApi) {
        this.title = title;
        this.openApi = openApi;
    }

    private byte[] document(String base) {
        String assets = base + "/assets/" + files.version();
        return ("""
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <meta name="treadle-base" content="%1$s">
                <title>%3$s</title>
                <link rel="icon" href="%2$s/icon.svg" type="image/svg+xml">
                <link rel="stylesheet" href="%2$s/app.css">
                <script type="module" src="%2$s/app.js"></script>
                </head>
                <body><div id="app"></div><noscript>This dashboard needs JavaScript. The API under /api/v1 does not.</noscript></body>
                </html>
                """).formatted(escaped(base), escaped(assets), escaped(title)).getBytes(StandardCharsets.UTF_8);
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        VIEWS.forEach(view -> routes.add(Route.get(view, call -> document(200, call.request()))));
        routes.add(Route.get("/api/v1/openapi.json", call -> Response.of(200, "application/json", openApi)));
        routes.add(Route.get("/assets/{version}/{file}", call -> file(call, call.parameter("file"))));
        routes.add(Route.get("/assets/{version}/lib/{file}", call -> file(call, "lib/" + call.parameter("file"))));
        routes.add(Route.get(
                "/assets/{version}/lib/directives/{file}",
                call -> file(call, "lib/directives/" + call.parameter("file"))));
        return routes;
    }

    /** The document for an address that is no view's: it says so itself. */
    Response nothingHere(Request request) {
        return document(404, request);
    }

    private Response document(int status, Request request) {
        return Response.of(status, "text/html; charset=utf-8", document(request.base()));
    }

    Files files() {
        return files;
    }

    private Response file(Call call, String name) {
        Response file = files.file(name, call.request());
        if (file == null) {
            throw Problem.notFound("The page has no such file.");
        }
        return file;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
