/** Drop it in on Java 21 or later and jobs run on virtual threads; on Java 17 it is skipped with a line in the log. */
module dev.treadle.executor.virtual {
    requires transitive dev.treadle.core;
    requires static org.jspecify;

    exports dev.treadle.executor.virtual;

    provides dev.treadle.executor.JobRunrExecutor with
            dev.treadle.executor.virtual.VirtualThreadJobRunrExecutor;
}
