package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/** The context of the job that a thread runs. */
final class CurrentContext {
    /** The only one of its kind, because {@link JobContext#current()} has to work without any object at hand. */
    private static final ThreadLocal<@Nullable JobContext> OF_THREAD = new ThreadLocal<>();

    private static final JobContext.Watch CLEARS = () -> OF_THREAD.set(null);
    private static final JobContext.Watch NOTHING = () -> {};

    private CurrentContext() {}

    static @Nullable JobContext get() {
        return OF_THREAD.get();
    }

    /** Makes it current on this thread until that is closed there. Allocates nothing if there was none. */
    static JobContext.Watch enter(JobContext context) {
        JobContext before = OF_THREAD.get();
        if (before == context) {
            return NOTHING;
        }
        OF_THREAD.set(context);
        // why not removed: the next job on this thread would have to make the entry again
        return before == null ? CLEARS : () -> OF_THREAD.set(before);
    }
}
