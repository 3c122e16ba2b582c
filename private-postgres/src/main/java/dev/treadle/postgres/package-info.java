/** A PostgreSQL in a folder and on a port of its own, run as in production, for fault tests and benchmarks. */
@NullMarked
package dev.treadle.postgres;

import org.jspecify.annotations.NullMarked;
