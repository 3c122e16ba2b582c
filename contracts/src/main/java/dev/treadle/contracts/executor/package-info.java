/**
 * The contract every executor is held to, as a JUnit class to extend.
 * Exported, because implementers run it against their own executor.
 * It needs no database and no server, only the executor.
 */
@NullMarked
package dev.treadle.contracts.executor;

import org.jspecify.annotations.NullMarked;
