/**
 * The salary slips on each executor and JDK, each run in a fresh JVM that is watched from outside, as VisualVM would.
 * The launcher calls {@code Showdown}; what it has seen lies as CSV in a folder, and the report is made from that alone.
 * Never shipped: nothing outside may depend on it.
 */
@NullMarked
package dev.treadle.showdown;

import org.jspecify.annotations.NullMarked;
