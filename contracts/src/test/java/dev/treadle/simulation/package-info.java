/**
 * Whole clusters driven turn by turn from one seed: nodes that crash, pause and leave, clocks that disagree, a storage
 * that fails, loses answers and is slow, and a ledger that is compared with the storage after every write.
 * {@link dev.treadle.simulation.Simulation} runs one seed, {@link dev.treadle.simulation.Cluster} is the world.
 * Nothing here starts a thread, sleeps or reads a real clock.
 */
@NullMarked
package dev.treadle.simulation;

import org.jspecify.annotations.NullMarked;
