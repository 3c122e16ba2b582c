/**
 * Treadle, the bare statements and the peers, measured on one machine in one run.
 * The launcher calls {@code Bench}; it starts a PostgreSQL and one JVM for each measurement.
 * Never shipped: nothing outside may depend on it.
 */
@NullMarked
package dev.treadle.benchmark;

import org.jspecify.annotations.NullMarked;
