/**
 * What can be seen of the engine from outside: events for the flight recorder of the JVM. Internal: not exported.
 * Each stage reports job events here; nothing is done while nothing records.
 * Nothing here decides, waits or asks a storage.
 */
@NullMarked
package dev.treadle.watch;

import org.jspecify.annotations.NullMarked;
