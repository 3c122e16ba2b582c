package dev.treadle.example.shop.experiment;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Sends requests to a process on this machine. */
final class LoadClient {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port;

    LoadClient(int port) {
        this.port = port;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE);
    }

    String get(String path) throws IOException, InterruptedException {
        return body(request(path).GET().build());
    }

    String post(String path) throws IOException, InterruptedException {
        return body(request(path).POST(HttpRequest.BodyPublishers.noBody()).build());
    }

    private String body(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new IOException(request.uri() + " was answered with " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }

    /**
     * How fast requests were answered.
     *
     * @param perSecond answers in a second
     * @param p99Millis how long the slowest hundredth took at least
     */
    record Speed(double perSecond, long p99Millis) {}

    /**
     * Sends so many requests, so many at once.
     *
     * @throws IOException if one was not answered with 200
     */
    Speed load(String path, int requests, int clients) throws IOException, InterruptedException {
        Queue<Long> nanos = new ConcurrentLinkedQueue<>();
        Queue<String> failures = new ConcurrentLinkedQueue<>();
        Semaphore free = new Semaphore(clients);
        HttpRequest request = request(path).GET().build();
        long began = System.nanoTime();
        for (int i = 0; i < requests && failures.isEmpty(); i++) {
            free.acquire();
            long sent = System.nanoTime();
            http.sendAsync(request, HttpResponse.BodyHandlers.discarding()).handle((answer, failure) -> {
                if (failure != null) {
                    failures.add(failure.toString());
                } else if (answer.statusCode() != 200) {
                    failures.add("status " + answer.statusCode());
                }
                nanos.add(System.nanoTime() - sent);
                free.release();
                return null;
            });
        }
        if (!free.tryAcquire(clients, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IOException("The shop does not answer.");
        }
        if (!failures.isEmpty()) {
            throw new IOException(failures.size() + " requests failed, such as: " + failures.peek());
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        return new Speed(requests / seconds, p99(sorted));
    }

    /** @param sorted in ns, ascending */
    static long p99(long[] sorted) {
        int at = Math.max(0, (int) Math.ceil(sorted.length * 0.99) - 1);
        return TimeUnit.NANOSECONDS.toMillis(sorted[at]);
    }
}
