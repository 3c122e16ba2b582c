/** Meters and observations of Treadle for Micrometer. */
@NullMarked
package dev.treadle.micrometer;

import org.jspecify.annotations.NullMarked;
