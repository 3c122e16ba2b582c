package dev.treadle.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and key values of the observation of an enqueue. */
public interface JobEnqueueConvention extends ObservationConvention<JobEnqueueContext> {
    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof JobEnqueueContext;
    }
}
