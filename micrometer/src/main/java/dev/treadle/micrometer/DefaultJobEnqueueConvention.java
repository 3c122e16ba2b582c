package dev.treadle.micrometer;

import io.micrometer.common.KeyValues;

/** The default names of an enqueue: {@code treadle.job.enqueue}, with type and queue. Extend it to add to them. */
public class DefaultJobEnqueueConvention implements JobEnqueueConvention {
    private final JobTags tags = new JobTags();

    /** The names that this type says, with a bound of its own for types and queues. */
    public DefaultJobEnqueueConvention() {}

    @Override
    public String getName() {
        return "treadle.job.enqueue";
    }

    @Override
    public String getContextualName(JobEnqueueContext context) {
        return "enqueue " + JobTags.shortName(context.invocation());
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(JobEnqueueContext context) {
        return tags.of(context.invocation(), context.traits());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(JobEnqueueContext context) {
        return KeyValues.of(JobObservation.High.ID.withValue(context.jobId().toString()));
    }
}
