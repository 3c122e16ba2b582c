/**
 * Finds executors with {@code ServiceLoader} and chooses one, by priority or by name. Internal: not exported. The root
 * package asks it. Nothing here starts an executor.
 */
@NullMarked
package dev.treadle.discovery;

import org.jspecify.annotations.NullMarked;
