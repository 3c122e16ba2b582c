/**
 * What every storage must do, as tests: extend {@link dev.treadle.contracts.storage.AllStorageContracts}, hand over an
 * empty storage, and a storage is done when they pass.
 * The tests use nothing but the port, real threads and real time, so they hold for any storage on any clock.
 */
@NullMarked
package dev.treadle.contracts.storage;

import org.jspecify.annotations.NullMarked;
