/**
 * Writes and reads arguments, finds methods by name, and decides which types a job may call. Capturing and invoking
 * call it; the code that wires them passes their settings. Not exported. Only the accessors that Jackson needs run user
 * code here, and no text ever names a class.
 */
@NullMarked
package dev.treadle.payload;

import org.jspecify.annotations.NullMarked;
