package dev.treadle.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and key values of the observation of a run. */
public interface JobRunConvention extends ObservationConvention<JobRunContext> {
    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof JobRunContext;
    }
}
