package dev.treadle.storage.admin;

import dev.treadle.storage.StorageProvider;

/** A storage that answers dashboards and operators too. */
public interface AdminStorage extends StorageProvider {
    /**
     * A storage, if it is one of these.
     *
     * @throws IllegalArgumentException if it is not
     */
    static AdminStorage of(StorageProvider storage) {
        if (storage instanceof AdminStorage admin) {
            return admin;
        }
        throw new IllegalArgumentException("This storage does not answer operators and dashboards: "
                + storage.getClass().getName() + " does not implement " + AdminStorage.class.getName() + ".");
    }

    /** Lists of jobs, how many there are, failures by cause, and the nodes. */
    JobSearch search();

    /** What waits in queues, and how to pause them. */
    QueueStorage queues();

    /** What operators did: an audit row for each act. */
    Operators operators();

    /** What nodes did, minute by minute. */
    Minutes minutes();
}
