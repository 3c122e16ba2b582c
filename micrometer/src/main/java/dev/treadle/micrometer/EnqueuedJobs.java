package dev.treadle.micrometer;

import dev.treadle.job.JobId;
import dev.treadle.job.JobInterceptor;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the jobs that this process has enqueued, once they are stored:
 * {@code Treadle.on(…).intercept(enqueued)} and {@code enqueued.bindTo(registry)}. Thread-safe.
 */
public final class EnqueuedJobs implements JobInterceptor, MeterBinder {
    private final LongAdder jobs = new LongAdder();
    private final Tags tags;

    /** A counter without tags of the application. */
    public EnqueuedJobs() {
        this(List.of());
    }

    /** A counter with tags of the application. */
    public EnqueuedJobs(Iterable<Tag> tags) {
        this.tags = Tags.of(tags);
    }

    @Override
    public void onEnqueued(List<JobId> ids) {
        jobs.add(ids.size());
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder(TreadleMeter.ENQUEUED.id(), jobs, LongAdder::sum)
                .description(TreadleMeter.ENQUEUED.description())
                .tags(tags)
                .register(registry);
    }
}
