/**
 * What every storage must do, as tests: extend {@link dev.treadle.testing.storage.AllStorageContracts}, hand over an
 * empty storage, and a storage is done when they pass.
 * The tests use nothing but the port, real threads and real time, so they hold for any storage on any clock.
 */
@NullMarked
package dev.treadle.testing.storage;

import org.jspecify.annotations.NullMarked;
