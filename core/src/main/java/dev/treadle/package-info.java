/**
 * The one door to Treadle: {@link dev.treadle.Treadle} builds storage, scheduler and server into one whole.
 * Applications start here.
 * Nothing else lives in this package.
 */
@NullMarked
package dev.treadle;

import org.jspecify.annotations.NullMarked;
