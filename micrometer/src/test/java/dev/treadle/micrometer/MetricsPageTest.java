package dev.treadle.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.job.JobRequest;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** docs/metrics.md and the files of docs/monitoring beside what Prometheus gets over HTTP. */
class MetricsPageTest {
    private static final Path DOCS = Path.of("../docs");
    private static final Pattern METRIC = Pattern.compile("treadle_[a-z_]+");

    static {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    record Wait() implements JobRequest<Void> {}

    @Test
    void the_page_lists_each_meter() throws IOException {
        PrometheusNamingConvention naming = new PrometheusNamingConvention();
        List<String> expected = Arrays.stream(TreadleMeter.values())
                .map(meter -> "| `" + meter.id() + "` | `" + naming.name(meter.id(), meter.type(), meter.unit())
                        + (meter.type() == io.micrometer.core.instrument.Meter.Type.COUNTER ? "_total" : "") + "` | "
                        + meter.type().name().toLowerCase(Locale.ROOT) + " | "
                        + meter.tags().stream().map(tag -> "`" + tag + "`").collect(Collectors.joining(", ")) + " | "
                        + meter.description() + " |")
                .map(row -> row.replace("_total_total", "_total").replace("|  |", "| |"))
                .toList();
        List<String> rows = Files.readAllLines(DOCS.resolve("metrics.md")).stream()
                .filter(line -> line.startsWith("| `treadle.") && line.contains("` | `treadle_"))
                .toList();
        assertEquals(String.join("\n", expected), String.join("\n", rows));
    }

    @Test
    void the_page_names_the_keys_of_the_observations() throws IOException {
        String page = Files.readString(DOCS.resolve("metrics.md"));
        for (JobObservation observation : JobObservation.values()) {
            String name = observation == JobObservation.ENQUEUE
                    ? new DefaultJobEnqueueConvention().getName()
                    : new DefaultJobRunConvention().getName();
            String row = page.lines()
                    .filter(line -> line.startsWith("| `" + name + "` |"))
                    .findFirst()
                    .orElseThrow();
            Set<String> keys = new TreeSet<>();
            Arrays.stream(observation.getLowCardinalityKeyNames()).forEach(key -> keys.add(key.asString()));
            Arrays.stream(observation.getHighCardinalityKeyNames()).forEach(key -> keys.add(key.asString()));
            Set<String> named = new TreeSet<>();
            Matcher code = Pattern.compile("`([a-z.]+)`").matcher(row);
            while (code.find()) {
                named.add(code.group(1));
            }
            named.remove(name);
            assertEquals(keys, named);
        }
    }

    @Test
    void what_the_files_for_grafana_and_keda_ask_for_is_on_the_scraped_page() throws Exception {
        String page = scrapedWhileAJobRuns();
        assertTrue(page.contains("treadle_jobs{application=\"office\",state=\"PROCESSING\"} 1.0"), page);
        assertTrue(page.contains("treadle_queue_waiting{application=\"office\",queue=\"mail\"} 0.0"), page);
        assertTrue(page.contains("treadle_jobs_enqueued_total{application=\"office\"} 2.0"), page);

        Set<String> onPage = metrics(page);
        Set<String> asked = new TreeSet<>();
        JsonNode grafana = JsonMapper.shared().readTree(Files.readString(DOCS.resolve("monitoring/grafana.json")));
        for (JsonNode panel : grafana.get("panels")) {
            for (JsonNode target : panel.get("targets")) {
                Set<String> names = metrics(target.get("expr").stringValue());
                assertTrue(!names.isEmpty(), () -> panel.get("title") + " asks for nothing");
                asked.addAll(names);
            }
        }
        Set<String> keda = metrics(Files.readString(DOCS.resolve("monitoring/keda.yaml")));
        assertTrue(keda.size() >= 2, keda::toString);
        asked.addAll(keda);
        assertTrue(asked.size() > 15, asked::toString);

        Set<String> missing = new TreeSet<>(asked);
        missing.removeAll(onPage);
        assertEquals(Set.of(), missing, () -> "of " + onPage);
    }

    private static Set<String> metrics(String text) {
        Set<String> names = new TreeSet<>();
        Matcher name = METRIC.matcher(text);
        while (name.find()) {
            names.add(name.group());
        }
        return names;
    }

    /** As Prometheus does it. */
    private static String scrapedWhileAJobRuns() throws Exception {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        prometheus.config().commonTags("application", "office");
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(prometheus));
        EnqueuedJobs enqueued = new EnqueuedJobs();
        CountDownLatch mayEnd = new CountDownLatch(1);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            byte[] page = prometheus.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
        try (Treadle treadle = Treadle.on(new InMemoryStorageProvider())
                .settings(JobServerSettings.DEFAULT.withWorkers(2).withResource("pdf", 1))
                .handler(Wait.class, (wait, job) -> {
                    if (job.headers().isEmpty()) {
                        mayEnd.await();
                    }
                })
                .intercept(enqueued)
                .intercept(JobObservations.of(observations))
                .start()) {
            enqueued.bindTo(prometheus);
            new TreadleMetrics(treadle, List.of(), Duration.ofMillis(100)).bindTo(prometheus);
            treadle.jobs()
                    .with(JobOptions.DEFAULT.withHeader("ends", "at once"))
                    .enqueue(new Wait());
            treadle.jobs()
                    .with(JobOptions.DEFAULT.withQueue("mail").withUses("pdf"))
                    .enqueue(new Wait());
            HttpRequest scrape = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/metrics"))
                    .build();
            return Awaitility.await().until(() -> body(scrape), MetricsPageTest::showsTheRunningJob);
        } finally {
            mayEnd.countDown();
            server.stop(0);
        }
    }

    private static String body(HttpRequest scrape) throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient().send(scrape, HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode());
        return answer.body();
    }

    private static boolean showsTheRunningJob(String page) {
        return page.contains("state=\"PROCESSING\"} 1.0")
                && page.contains("treadle_queue_waiting{application=\"office\",queue=\"mail\"} 0.0")
                && page.contains("treadle_job_run_seconds_count")
                && page.contains("treadle_server_attempts_total");
    }
}
