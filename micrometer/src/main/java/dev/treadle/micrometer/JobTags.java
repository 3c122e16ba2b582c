package dev.treadle.micrometer;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobTraits;
import io.micrometer.common.KeyValues;

/** Type and queue of jobs as tags, with bounded numbers of values. Thread-safe. */
final class JobTags {
    private final BoundedNames types = new BoundedNames(TreadleMetrics.QUEUES_MAX, TreadleMetrics.OTHER_QUEUES);
    private final BoundedNames queues = new BoundedNames(TreadleMetrics.QUEUES_MAX, TreadleMetrics.OTHER_QUEUES);

    KeyValues of(Invocation invocation, JobTraits traits) {
        return KeyValues.of(
                JobObservation.Low.TYPE.withValue(types.of(invocation.target())),
                JobObservation.Low.QUEUE.withValue(queues.of(traits.queue())));
    }

    /** {@code Slips.generate} of {@code com.acme.Slips#generate(long)}: names of spans are short. */
    static String shortName(Invocation invocation) {
        String type = invocation.type().substring(invocation.type().lastIndexOf('.') + 1);
        String method = invocation.method();
        return method == null ? type : type + "." + method.substring(0, method.indexOf('('));
    }
}
