package dev.treadle.micrometer;

import dev.treadle.job.Job;
import io.micrometer.common.KeyValues;
import java.util.Locale;

/** The default names of a run: {@code treadle.job.run}, with type, queue and outcome. Extend it to add to them. */
public class DefaultJobRunConvention implements JobRunConvention {
    private final JobTags tags = new JobTags();

    /** The names that this type says, with a bound of its own for types and queues. */
    public DefaultJobRunConvention() {}

    @Override
    public String getName() {
        return "treadle.job.run";
    }

    @Override
    public String getContextualName(JobRunContext context) {
        return "run " + JobTags.shortName(context.job().invocation());
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(JobRunContext context) {
        Job job = context.job();
        return tags.of(job.invocation(), job.traits())
                .and(JobObservation.Low.OUTCOME.withValue(
                        context.outcome().name().toLowerCase(Locale.ROOT)));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(JobRunContext context) {
        Job job = context.job();
        return KeyValues.of(
                JobObservation.High.ID.withValue(job.id().toString()),
                JobObservation.High.ATTEMPT.withValue(Integer.toString(job.attempt())));
    }
}
