/**
 * The entry point: {@link dev.treadle.Treadle} puts a storage, a scheduler and a server together. Exported; applications
 * start here. Nothing else is in this package.
 */
@NullMarked
package dev.treadle;

import org.jspecify.annotations.NullMarked;
