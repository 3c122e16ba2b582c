/**
 * What tools see of the engine: flight recorder events and MBeans. Not exported. Each stage reports job events here,
 * which costs nothing while nothing records. Nothing here decides, waits or asks a storage.
 */
@NullMarked
package dev.treadle.watch;

import org.jspecify.annotations.NullMarked;
