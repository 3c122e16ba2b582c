/**
 * The {@code JobRunrExecutor} SPI and its platform-thread default. Exported; implementers of executors extend it. An
 * executor only lends threads: how many jobs run, and when they are interrupted, is decided elsewhere.
 */
@NullMarked
package dev.treadle.executor;

import org.jspecify.annotations.NullMarked;
