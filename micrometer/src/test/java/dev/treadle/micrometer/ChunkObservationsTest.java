package dev.treadle.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.treadle.Treadle;
import dev.treadle.job.JobRequest;
import dev.treadle.job.RetryPolicy;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is observed of jobs that one call runs together. */
class ChunkObservationsTest {
    record Mail(int number) implements JobRequest<Void> {}

    @Test
    void each_job_is_observed_and_none_of_them_is_the_current_one() {
        ObservationRegistry registry = ObservationRegistry.create();
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        AtomicReference<@Nullable Observation> current = new AtomicReference<>();
        try (Treadle treadle = Treadle.on(new InMemoryStorageProvider())
                .settings(JobServerSettings.DEFAULT.withRetries(RetryPolicy.NEVER))
                .chunkHandler(Mail.class, 3, Duration.ofSeconds(50), mails -> {
                    current.set(registry.getCurrentObservation());
                    throw new IllegalStateException("asked to");
                })
                .intercept(JobObservations.of(registry))
                .start()) {
            treadle.jobs().enqueueAll(IntStream.range(0, 3).mapToObj(Mail::new));

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> meters.find("treadle.job.run").timers().stream()
                                    .mapToLong(Timer::count)
                                    .sum()
                            == 3);
            Timer timer = meters.get("treadle.job.run").timer();
            assertEquals("IllegalStateException", timer.getId().getTag("error"));
            assertNull(current.get());
        }
    }
}
