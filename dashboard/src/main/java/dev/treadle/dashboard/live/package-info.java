/**
 * What is watched all the time, so that the page is full when it opens.
 */
@NullMarked
package dev.treadle.dashboard.live;

import org.jspecify.annotations.NullMarked;
