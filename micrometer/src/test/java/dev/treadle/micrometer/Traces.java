package dev.treadle.micrometer;

import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import org.awaitility.Awaitility;

/** One process's tracing: OpenTelemetry's SDK behind Micrometer, and the spans that it has exported. */
final class Traces implements AutoCloseable {
    final ObservationRegistry registry = ObservationRegistry.create();
    final OtelTracer tracer;

    private final InMemorySpanExporter exported = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk;

    /** @param links whether runs are linked, as far as it is up to the handlers */
    Traces(boolean links) {
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(exported))
                .build();
        this.sdk = OpenTelemetrySdk.builder()
                .setTracerProvider(provider)
                .setPropagators(ContextPropagators.create(TextMapPropagator.composite(
                        W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance())))
                .build();
        io.opentelemetry.api.trace.Tracer otel = sdk.getTracer("test");
        this.tracer = new OtelTracer(otel, new OtelCurrentTraceContext(), event -> {});
        OtelPropagator propagator = new OtelPropagator(sdk.getPropagators(), otel);
        var receivers = new PropagatingReceiverTracingObservationHandler<>(tracer, propagator);
        var senders = new PropagatingSenderTracingObservationHandler<>(tracer, propagator);
        var others = new DefaultTracingObservationHandler(tracer);
        registry.observationConfig()
                .observationHandler(
                        links
                                ? new FirstMatchingCompositeObservationHandler(
                                        new JobLinkHandler(tracer), receivers, senders, others)
                                : new FirstMatchingCompositeObservationHandler(receivers, senders, others));
    }

    /** The one span of a name, once it has ended. */
    SpanData span(String name) {
        Awaitility.await("a span " + name).until(() -> !spans(name).isEmpty());
        List<SpanData> found = spans(name);
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " spans " + name);
        }
        return found.get(0);
    }

    List<SpanData> spans(String name) {
        return exported.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    @Override
    public void close() {
        sdk.close();
    }
}
