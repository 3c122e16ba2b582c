package dev.treadle.watch;

import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports events of jobs to the flight recorder. While nothing records, each method costs one check of a flag.
 * Thread-safe.
 */
public interface JobEvents {
    /** Does nothing. */
    JobEvents NONE = new JobEvents() {};

    /** Reports to the flight recorder, where this JVM has one. */
    static JobEvents ofThisJvm() {
        try {
            return new FlightEvents();
        } catch (LinkageError e) {
            // a runtime image without jdk.jfr, or a module path on which no module requires it
            return NONE;
        }
    }

    /** Code in this process has enqueued and stored jobs. */
    default void enqueued(List<NewJob> jobs) {}

    /** This node has claimed jobs, or direct starts have leased them to it. */
    default void claimed(List<Lease> leases) {}

    /**
     * A job starts on this thread.
     *
     * @return the event to pass to {@link #finished}; null if nothing records
     */
    default @Nullable Object started(Lease lease) {
        return null;
    }

    /**
     * The attempt of that job has ended, on the same thread.
     *
     * @param started what {@link #started} returned
     */
    default void finished(@Nullable Object started, Transition ending) {}
}
