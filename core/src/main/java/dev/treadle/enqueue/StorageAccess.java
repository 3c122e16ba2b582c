package dev.treadle.enqueue;

import dev.treadle.storage.TransactionalStorage;
import java.util.function.Consumer;

/**
 * Where the calls of a scheduler go: to the storage, where each commits by itself, or into a transaction of the
 * application.
 *
 * @param storage     what they read and write
 * @param enqueuer    makes jobs and inserts them there
 * @param afterCommit takes what to do after the commit; what has committed by itself is told at once
 */
record StorageAccess(TransactionalStorage storage, Enqueuer enqueuer, Consumer<Runnable> afterCommit) {}
