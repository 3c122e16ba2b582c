package dev.treadle.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.treadle.Await;
import dev.treadle.Treadle;
import dev.treadle.job.Failure;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.Leases;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FailureLogTest {
    record Mail(String to) implements JobRequest<Void> {}

    private final Logger logger = (Logger) LoggerFactory.getLogger(FailureLog.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Level before = logger.getLevel();
    private final Lease lease = Leases.inAttempt(3, null);
    private final Failure why = Failure.of(new IllegalStateException("no such address"));
    private Instant now = Instant.parse("2026-03-01T12:00:30Z");
    private final FailureLog log = new FailureLog(() -> now);

    @BeforeEach
    void listen() {
        logged.start();
        logger.setLevel(Level.WARN);
        logger.setAdditive(false);
        logger.addAppender(logged);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(logged);
        logger.setAdditive(true);
        logger.setLevel(before);
    }

    private List<String> messages() {
        return logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private void fail() {
        log.ended(AttemptEnd.failed(lease, Duration.ZERO, why));
    }

    @Test
    void a_retry_is_a_warning_with_the_trace_and_the_time_of_the_next_attempt() {
        log.ended(AttemptEnd.retried(lease, Duration.ZERO, why, Duration.ofMillis(5_300)));

        assertEquals(Level.WARN, logged.list.get(0).getLevel());
        String message = messages().get(0);
        String expected = "Job " + lease.job().id()
                + " (com.acme.Greet) failed in attempt 3 and runs again in 5.3 s:"
                + " java.lang.IllegalStateException: no such address\n\tat "
                + getClass().getName();
        assertTrue(message.startsWith(expected), message);
    }

    @Test
    void a_failure_for_good_is_an_error() {
        fail();

        assertEquals(Level.ERROR, logged.list.get(0).getLevel());
        String message = messages().get(0);
        assertTrue(message.contains("failed for good in attempt 3: java.lang.IllegalStateException"), message);
    }

    @Test
    void a_parked_job_says_why() {
        log.ended(AttemptEnd.parked(lease, Failure.because("NotRunnable", "No handler is registered."), false));

        assertEquals(
                List.of("Job " + lease.job().id() + " (com.acme.Greet) is parked: No handler is registered."),
                messages());
    }

    @Test
    void what_did_not_fail_is_not_logged() {
        log.ended(AttemptEnd.succeeded(lease, Duration.ZERO));
        log.ended(AttemptEnd.stopped(lease, Duration.ZERO));
        log.ended(AttemptEnd.snoozed(lease, Duration.ZERO, Duration.ofSeconds(1)));

        assertEquals(List.of(), messages());
    }

    @Test
    void failures_beyond_those_of_a_minute_are_counted() {
        for (int i = 0; i < FailureLog.PER_MINUTE_MAX + 7; i++) {
            fail();
        }
        assertEquals(FailureLog.PER_MINUTE_MAX, messages().size());

        now = now.plus(Duration.ofMinutes(1));
        fail();
        fail();

        assertEquals(FailureLog.PER_MINUTE_MAX + 3, messages().size());
        String message = messages().get(FailureLog.PER_MINUTE_MAX);
        assertTrue(message.startsWith("7 more failed attempts were not logged"), message);
    }

    @Test
    void a_server_logs_the_failures_of_its_jobs() {
        try (Treadle treadle = Treadle.on(new InMemoryStorageProvider())
                .settings(JobServerSettings.DEFAULT.withRetries(RetryPolicy.DEFAULT.withAttempts(1)))
                .handler(Mail.class, (mail, job) -> {
                    throw new IllegalStateException("no such address");
                })
                .start()) {
            JobId id = treadle.jobs().enqueue(new Mail("ada"));
            Await.until(
                    "it failed",
                    () -> treadle.jobs().find(id).orElseThrow().job().state().name() == StateName.FAILED);

            Await.until("it is logged", () -> !messages().isEmpty());
            String message = messages().get(0);
            assertTrue(message.startsWith("Job " + id + " (" + Mail.class.getName() + ") failed for good"), message);
        }
    }
}
