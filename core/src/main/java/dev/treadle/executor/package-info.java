/**
 * Who lends the thread: the {@code JobRunrExecutor} SPI, its platform-thread default and how one executor is chosen.
 * Exported, because implementers extend it and servers are handed what was chosen.
 * An executor only lends threads: how many jobs run, when they are drained and who is interrupted is decided elsewhere.
 */
@NullMarked
package dev.treadle.executor;

import org.jspecify.annotations.NullMarked;
