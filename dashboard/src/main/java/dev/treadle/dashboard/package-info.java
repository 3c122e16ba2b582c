/**
 * The dashboard of one Treadle, in one line. Start here.
 */
@NullMarked
package dev.treadle.dashboard;

import org.jspecify.annotations.NullMarked;
