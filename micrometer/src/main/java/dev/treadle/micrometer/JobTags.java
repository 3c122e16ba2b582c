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

    /**
     * {@code Slips.generate} of {@code com.acme.Slips#generate(long)}, because names of spans are short. A name that the
     * code gives, such as {@code invoice.send}, is kept whole.
     */
    static String shortName(Invocation invocation) {
        String simple = invocation.type().substring(invocation.type().lastIndexOf('.') + 1);
        String type = Character.isUpperCase(simple.charAt(0)) ? simple : invocation.type();
        String method = invocation.method();
        int parameters = method == null ? -1 : method.indexOf('(');
        return method == null ? type : type + "." + (parameters < 0 ? method : method.substring(0, parameters));
    }
}
