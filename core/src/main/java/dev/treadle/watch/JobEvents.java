package dev.treadle.watch;

import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reports what jobs go through to the flight recorder. While nothing records, each method costs a look at a flag. Thread-safe. */
public interface JobEvents {
    /** Does nothing. */
    JobEvents NONE = new JobEvents() {};

    /** Reports to the flight recorder, where this JVM has one. */
    static JobEvents ofThisJvm() {
        try {
            return new FlightEvents();
        } catch (LinkageError e) {
            // a runtime image without jdk.jfr, or a module path on which nothing asks for it
            return NONE;
        }
    }

    /** Code in this process has enqueued jobs, and they are stored. */
    default void enqueued(List<NewJob> jobs) {}

    /** This node has claimed jobs, or they were born here. */
    default void claimed(List<Lease> leases) {}

    /**
     * A job has got its thread, which is this one.
     *
     * @return to be handed to {@link #finished}; null if nothing records
     */
    default @Nullable Object started(Lease lease) {
        return null;
    }

    /**
     * Its attempt has ended, on the same thread.
     *
     * @param started what {@link #started} gave
     */
    default void finished(@Nullable Object started, Transition ending) {}
}
