package dev.treadle.micrometer;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** The observations of a job: its enqueue, and each of its runs. */
public enum JobObservation implements ObservationDocumentation {
    /** A job is made and given the trace of who enqueues it. */
    ENQUEUE {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultJobEnqueueConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {Low.TYPE, Low.QUEUE};
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {High.ID};
        }
    },
    /** A job runs, on the thread that runs it. */
    RUN {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultJobRunConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {Low.TYPE, Low.QUEUE, Low.OUTCOME};
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {High.ID, High.ATTEMPT};
        }
    };

    /** Keys with few values, which meters have as tags too. */
    public enum Low implements KeyName {
        /** What the job calls; at most 100 different ones, and {@code (others)}. */
        TYPE {
            @Override
            public String asString() {
                return "type";
            }
        },
        /** The job's queue; at most 100 different ones, and {@code (others)}. */
        QUEUE {
            @Override
            public String asString() {
                return "queue";
            }
        },
        /** How the run ended: {@code completed}, {@code failed}, {@code snoozed}; {@code running} until then. */
        OUTCOME {
            @Override
            public String asString() {
                return "outcome";
            }
        }
    }

    /** Keys with a value for each job, for spans only. */
    public enum High implements KeyName {
        /** The job's id. */
        ID {
            @Override
            public String asString() {
                return "treadle.job.id";
            }
        },
        /** Which attempt it is, from 1. */
        ATTEMPT {
            @Override
            public String asString() {
                return "treadle.job.attempt";
            }
        }
    }
}
