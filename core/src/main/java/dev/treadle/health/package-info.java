/** Whether jobs run as they should, in words for people and levels for probes. */
@NullMarked
package dev.treadle.health;

import org.jspecify.annotations.NullMarked;
