package dev.treadle.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.job.JobType;
import dev.treadle.job.JobTypes;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.SnoozeException;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The trace of a request reaches the runs of its jobs. */
class JobObservationsTest {
    static {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    record Greet(String name) implements JobRequest<Void> {}

    @JobType("slips")
    static class Slips {
        @JobType("generate")
        void generate(long id) {}
    }

    @JobType("invoice.send")
    record SendInvoice(long id) implements JobRequest<Void> {}

    @JobType(formerly = "com.acme.MailReceipt")
    record SendReceipt(String order) implements JobRequest<Void> {}

    record Parent() implements JobRequest<Void> {}

    record Part() implements JobRequest<Integer> {}

    private final AtomicReference<String> traceInJob = new AtomicReference<>();
    private final AtomicInteger runs = new AtomicInteger();

    private Treadle.Builder builder(StorageProvider storage, JobObservations observations, Traces traces) {
        return Treadle.on(storage)
                .settings(JobServerSettings.DEFAULT
                        .withPollMax(Duration.ofMillis(50))
                        .withRetries(RetryPolicy.DEFAULT.withDelays(Duration.ofMillis(1), Duration.ofMillis(1))))
                .handler(Greet.class, (greet, job) -> {
                    var span = traces.tracer.currentSpan();
                    traceInJob.set(span == null ? null : span.context().traceId());
                    int run = runs.incrementAndGet();
                    if (greet.name().equals("fails once") && run == 1) {
                        throw new IllegalStateException("asked to");
                    }
                    if (greet.name().equals("snoozes once") && run == 1) {
                        throw new SnoozeException(Duration.ZERO);
                    }
                })
                .intercept(observations);
    }

    private static JobId enqueueInRequest(Treadle treadle, Traces traces, String name) {
        return Objects.requireNonNull(Observation.createNotStarted("request", traces.registry)
                .observe(() -> treadle.jobs().enqueue(new Greet(name))));
    }

    private static void untilSucceeded(Treadle treadle, JobId id) {
        Awaitility.await()
                .until(() -> treadle.storage()
                                .queries()
                                .find(id)
                                .orElseThrow()
                                .job()
                                .state()
                                .name()
                        == StateName.SUCCEEDED);
    }

    @Test
    void a_run_has_a_trace_of_its_own_with_a_link_to_the_enqueue_in_the_request() {
        try (Traces traces = new Traces(true);
                Treadle treadle = builder(new InMemoryStorageProvider(), JobObservations.of(traces.registry), traces)
                        .start()) {
            JobId id = enqueueInRequest(treadle, traces, "Ada");
            SpanData request = traces.span("request");
            SpanData enqueue = traces.span("enqueue JobObservationsTest$Greet");
            SpanData run = traces.span("run JobObservationsTest$Greet");
            assertEquals(request.getSpanId(), enqueue.getParentSpanId());
            assertEquals(SpanKind.PRODUCER, enqueue.getKind());
            assertEquals(SpanKind.CONSUMER, run.getKind());
            assertNotEquals(request.getTraceId(), run.getTraceId());
            assertFalse(run.getParentSpanContext().isValid());
            assertEquals(1, run.getLinks().size());
            assertEquals(
                    request.getTraceId(), run.getLinks().get(0).getSpanContext().getTraceId());
            assertEquals(
                    enqueue.getSpanId(), run.getLinks().get(0).getSpanContext().getSpanId());
            assertTrue(run.getLinks().get(0).getSpanContext().isSampled());
            assertEquals(run.getTraceId(), traceInJob.get(), "what the job does belongs to its span");
            assertEquals(id.toString(), run.getAttributes().get(AttributeKey.stringKey("treadle.job.id")));
            assertEquals("1", run.getAttributes().get(AttributeKey.stringKey("treadle.job.attempt")));
            assertEquals("completed", run.getAttributes().get(AttributeKey.stringKey("outcome")));
        }
    }

    @Test
    void a_run_is_a_child_of_the_enqueue_if_asked_for() {
        try (Traces traces = new Traces(true);
                Treadle treadle = builder(
                                new InMemoryStorageProvider(),
                                JobObservations.of(traces.registry).asChildren(),
                                traces)
                        .start()) {
            enqueueInRequest(treadle, traces, "Ada");
            SpanData run = traces.span("run JobObservationsTest$Greet");
            assertEquals(traces.span("request").getTraceId(), run.getTraceId());
            assertEquals(traces.span("enqueue JobObservationsTest$Greet").getSpanId(), run.getParentSpanId());
            assertEquals(0, run.getLinks().size());
        }
    }

    @Test
    void without_the_handler_for_links_a_run_is_a_child() {
        try (Traces traces = new Traces(false);
                Treadle treadle = builder(new InMemoryStorageProvider(), JobObservations.of(traces.registry), traces)
                        .start()) {
            enqueueInRequest(treadle, traces, "Ada");
            assertEquals(
                    traces.span("request").getTraceId(),
                    traces.span("run JobObservationsTest$Greet").getTraceId());
        }
    }

    @Test
    void the_trace_reaches_another_process_through_the_database() {
        String database = "traces" + UUID.randomUUID();
        try (Traces front = new Traces(true);
                Traces back = new Traces(true);
                Treadle enqueues = builder(
                                SqlStorageProvider.h2Memory(database), JobObservations.of(front.registry), front)
                        .enqueueOnly();
                Treadle runs = builder(SqlStorageProvider.h2Memory(database), JobObservations.of(back.registry), back)
                        .start()) {
            JobId id = enqueueInRequest(enqueues, front, "Ada");
            untilSucceeded(runs, id);
            SpanData run = back.span("run JobObservationsTest$Greet");
            assertEquals(
                    front.span("enqueue JobObservationsTest$Greet").getSpanId(),
                    run.getLinks().get(0).getSpanContext().getSpanId());
            assertEquals(
                    front.span("request").getTraceId(),
                    run.getLinks().get(0).getSpanContext().getTraceId());
            assertTrue(front.spans("run JobObservationsTest$Greet").isEmpty());
            assertTrue(back.spans("request").isEmpty());
        }
    }

    @Test
    void each_attempt_has_a_span_and_one_that_failed_says_so() {
        try (Traces traces = new Traces(true);
                Treadle treadle = builder(new InMemoryStorageProvider(), JobObservations.of(traces.registry), traces)
                        .start()) {
            JobId id = enqueueInRequest(treadle, traces, "fails once");
            untilSucceeded(treadle, id);
            var found = traces.spans("run JobObservationsTest$Greet");
            assertEquals(2, found.size());
            assertEquals(StatusCode.ERROR, found.get(0).getStatus().getStatusCode());
            assertEquals("failed", found.get(0).getAttributes().get(AttributeKey.stringKey("outcome")));
            assertEquals(StatusCode.OK, found.get(1).getStatus().getStatusCode());
            assertEquals("2", found.get(1).getAttributes().get(AttributeKey.stringKey("treadle.job.attempt")));
        }
    }

    @Test
    void timers_count_runs_by_type_queue_and_outcome_and_a_snooze_is_no_error() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (Traces traces = new Traces(true)) {
            traces.registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
            try (Treadle treadle = builder(new InMemoryStorageProvider(), JobObservations.of(traces.registry), traces)
                    .start()) {
                JobId id = treadle.jobs()
                        .with(JobOptions.DEFAULT.withQueue("mail"))
                        .enqueue(new Greet("snoozes once"));
                untilSucceeded(treadle, id);
            }
            Timer snoozed = meters.get("treadle.job.run")
                    .tags("type", Greet.class.getName(), "queue", "mail", "outcome", "snoozed", "error", "none")
                    .timer();
            assertEquals(1, snoozed.count());
            assertEquals(
                    1,
                    meters.get("treadle.job.run")
                            .tags("outcome", "completed")
                            .timer()
                            .count());
            assertEquals(
                    1,
                    meters.get("treadle.job.enqueue")
                            .tags("queue", "mail")
                            .timer()
                            .count());
            traces.spans("run JobObservationsTest$Greet")
                    .forEach(
                            span -> assertEquals(StatusCode.OK, span.getStatus().getStatusCode()));
        }
    }

    @Test
    void a_convention_replaces_names_and_adds_keys() {
        class Tenant extends DefaultJobRunConvention {
            @Override
            public String getContextualName(JobRunContext context) {
                return "job of " + context.job().traits().headers().get("tenant");
            }

            @Override
            public KeyValues getLowCardinalityKeyValues(JobRunContext context) {
                return super.getLowCardinalityKeyValues(context).and("region", "eu");
            }
        }
        try (Traces traces = new Traces(true);
                Treadle treadle = builder(
                                new InMemoryStorageProvider(),
                                JobObservations.of(traces.registry).withRunConvention(new Tenant()),
                                traces)
                        .start()) {
            treadle.jobs().with(JobOptions.DEFAULT.withHeader("tenant", "acme")).enqueue(new Greet("Ada"));
            assertEquals("eu", traces.span("job of acme").getAttributes().get(AttributeKey.stringKey("region")));
        }
    }

    @Test
    void jobs_with_names_of_their_own_are_observed_under_these() {
        try (Traces traces = new Traces(true);
                Treadle treadle = builder(new InMemoryStorageProvider(), JobObservations.of(traces.registry), traces)
                        .types(JobTypes.of(Slips.class))
                        .handler(SendInvoice.class, (invoice, job) -> {})
                        .start()) {
            Slips slips = new Slips();
            untilSucceeded(treadle, treadle.jobs().enqueue(() -> slips.generate(42)));
            untilSucceeded(treadle, treadle.jobs().enqueue(new SendInvoice(7)));
            traces.span("enqueue slips.generate");
            traces.span("run slips.generate");
            traces.span("enqueue invoice.send");
            traces.span("run invoice.send");
        }
    }

    @Test
    void a_renamed_type_stays_one_series_and_one_name_of_spans() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        StorageProvider storage = new InMemoryStorageProvider();
        JobId before = JobId.of(UUID.randomUUID());
        try (Traces traces = new Traces(true)) {
            traces.registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
            try (Treadle treadle = builder(storage, JobObservations.of(traces.registry), traces)
                    .handler(SendReceipt.class, (receipt, job) -> {})
                    .build()) {
                storage.insert(List.of(new NewJob(
                        before,
                        new Invocation("com.acme.MailReceipt", null, "{\"order\":\"1\"}"),
                        Due.NOW,
                        JobTraits.DEFAULT)));
                JobId now = treadle.jobs().enqueue(new SendReceipt("2"));
                treadle.startServer();
                untilSucceeded(treadle, before);
                untilSucceeded(treadle, now);
            }
            assertEquals(2, traces.spans("run JobObservationsTest$SendReceipt").size());
            Timer only = meters.get("treadle.job.run").timer();
            assertEquals(SendReceipt.class.getName(), only.getId().getTag("type"));
            assertEquals(2, only.count());
            assertEquals(1, meters.find("treadle.job.run").timers().size());
        }
    }

    @Test
    void a_child_links_to_the_run_that_spawned_it() {
        try (Traces traces = new Traces(true);
                Treadle treadle = builder(new InMemoryStorageProvider(), JobObservations.of(traces.registry), traces)
                        .handler(
                                Parent.class,
                                (parent, job) -> job.spawn("part", new Part()).join())
                        .resultHandler(Part.class, (part, job) -> {
                            // so that the parent has to wait
                            Awaitility.await()
                                    .until(() -> !traces.spans("run JobObservationsTest$Parent")
                                            .isEmpty());
                            return 7;
                        })
                        .start()) {
            untilSucceeded(treadle, treadle.jobs().enqueue(new Parent()));

            SpanData spawned = traces.span("enqueue JobObservationsTest$Part");
            List<SpanData> runs = traces.spans("run JobObservationsTest$Parent");
            assertEquals(
                    List.of("suspended", "completed"),
                    runs.stream()
                            .map(run -> run.getAttributes().get(AttributeKey.stringKey("outcome")))
                            .toList());
            assertEquals(runs.get(0).getSpanId(), spawned.getParentSpanId());
            SpanData child = traces.span("run JobObservationsTest$Part");
            assertNotEquals(runs.get(0).getTraceId(), child.getTraceId());
            assertEquals(
                    List.of(runs.get(0).getTraceId() + " " + spawned.getSpanId()),
                    child.getLinks().stream()
                            .map(link -> link.getSpanContext().getTraceId() + " "
                                    + link.getSpanContext().getSpanId())
                            .toList());
        }
    }

    @Test
    void a_trace_that_does_not_fit_keeps_no_job_from_being_enqueued() {
        try (Traces traces = new Traces(true);
                Treadle treadle = builder(new InMemoryStorageProvider(), JobObservations.of(traces.registry), traces)
                        .start()) {
            JobOptions full = JobOptions.DEFAULT;
            for (int n = 0; n < 20; n++) {
                full = full.withHeader("header-" + n, "x");
            }
            JobId id = treadle.jobs().with(full).enqueue(new Greet("Ada"));
            untilSucceeded(treadle, id);
            assertEquals(
                    0, traces.span("run JobObservationsTest$Greet").getLinks().size());
        }
    }

    @Test
    void a_registry_that_observes_nothing_adds_no_header() {
        try (Traces traces = new Traces(true);
                Treadle treadle = builder(
                                new InMemoryStorageProvider(), JobObservations.of(ObservationRegistry.NOOP), traces)
                        .start()) {
            JobId id = treadle.jobs().enqueue(new Greet("Ada"));
            untilSucceeded(treadle, id);
            assertNull(traceInJob.get());
            assertTrue(treadle.storage()
                    .queries()
                    .find(id)
                    .orElseThrow()
                    .job()
                    .traits()
                    .headers()
                    .isEmpty());
        }
    }
}
