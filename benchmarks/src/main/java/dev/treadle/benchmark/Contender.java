package dev.treadle.benchmark;

import java.util.OptionalLong;
import java.util.stream.Stream;

/** One way to run jobs that are kept in a database. A single thread prepares it, starts and stops it. */
interface Contender extends AutoCloseable {
    /** Makes the tables. */
    void prepare();

    /** Commits one job before it returns. Any thread. */
    void enqueueOne(Work work) throws Exception;

    /** Commits many jobs in the way that its documentation recommends for many. */
    void enqueueBulk(Stream<Work> work) throws Exception;

    /** Commits many jobs that are not due for a day. */
    default void scheduleBulk(Stream<Work> work) {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " is not measured with scheduled jobs.");
    }

    /** Begins to run jobs. */
    void startWorkers(int workers) throws Exception;

    /** When its storage was last open, in nanoseconds; 0 if that is no step of its own. */
    default long openedAt() {
        return 0;
    }

    /** Ends what {@link #startWorkers} began, so that it may be called again. */
    void stopWorkers() throws Exception;

    /** Whether the storage says that nothing waits to be run and nothing runs. */
    boolean isDrained();

    /** How many jobs the storage says are yet to be run. */
    long waiting();

    /** How many jobs the storage says have ended well; empty if it does not keep them. */
    OptionalLong finished();

    @Override
    void close();
}
