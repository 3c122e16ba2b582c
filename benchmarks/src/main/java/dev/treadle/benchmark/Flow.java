package dev.treadle.benchmark;

/** One way to run jobs that are made of jobs. A single thread starts it, asks it and closes it. */
interface Flow extends AutoCloseable {
    /** Begins to run jobs. */
    void start() throws Exception;

    /** Commits so many jobs that have no parent, in the way that is documented for many. */
    void plain(int jobs) throws Exception;

    /** Runs one job that spawns so many and joins them. */
    void tree(int children) throws Exception;

    /** Runs one job that spawns so many; each of them spawns so many, and all are joined. */
    void tree(int children, int each) throws Exception;

    /** Runs one job that spawns another, joins it, and says so at once. */
    void chain(int number) throws Exception;

    /** Enqueues so many jobs. Each spawns another that awaits an event, and joins it. */
    default void sleepers(int jobs) throws Exception {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " is not measured with jobs that wait.");
    }

    /** How many jobs wait, as the storage says. */
    default long asleep() {
        return 0;
    }

    /** Gives one of the sleepers what it awaits, and waits until it has ended. */
    default void wake(int number) throws Exception {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " is not measured with jobs that wait.");
    }

    /** Whether the storage says that nothing waits to be run and nothing runs. */
    boolean isDrained();

    /** How many jobs the storage says have ended well. */
    long finished();

    @Override
    void close();
}
