package dev.treadle.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;

/**
 * Begins a trace of its own for each run, with a link to the span that enqueued the job: a job may run hours later, and
 * again and again. Register it before the handler for other receivers, as the first that matches is taken:
 *
 * <pre>{@code
 * registry.observationConfig().observationHandler(new ObservationHandler.FirstMatchingCompositeObservationHandler(
 *         new JobLinkHandler(tracer),
 *         new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
 *         new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
 *         new DefaultTracingObservationHandler(tracer)));
 * }</pre>
 *
 * <p>It reads the headers {@code traceparent}, {@code b3} and {@code X-B3-…}. Thread-safe.
 */
// why not a subclass of the handler for receivers: Spring Boot would take it for that one, and leave its own out
public final class JobLinkHandler implements TracingObservationHandler<JobRunContext> {
    private final Tracer tracer;

    /** Needs micrometer-tracing on the path, unlike the other types of this package. */
    public JobLinkHandler(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public Tracer getTracer() {
        return tracer;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof JobRunContext run && !run.isChild();
    }

    @Override
    public void onStart(JobRunContext context) {
        Span.Builder span =
                tracer.spanBuilder().setNoParent().kind(Span.Kind.CONSUMER).name(getSpanName(context));
        TraceHeaders from = TraceHeaders.in(context.job().traits().headers());
        if (from != null) {
            span.addLink(new Link(contextOf(from)));
        }
        getTracingContext(context).setSpan(span.start());
    }

    @Override
    public void onStop(JobRunContext context) {
        Span span = getRequiredSpan(context);
        // why again: conventions name a context when it ends
        span.name(getSpanName(context));
        tagSpan(context, span);
        span.end();
    }

    private TraceContext contextOf(TraceHeaders from) {
        TraceContext.Builder builder =
                tracer.traceContextBuilder().traceId(from.traceId()).spanId(from.spanId());
        return from.sampled() == null
                ? builder.build()
                : builder.sampled(from.sampled()).build();
    }
}
