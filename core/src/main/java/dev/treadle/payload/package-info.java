/**
 * Arguments to text and back, methods by name, and which types a job may call at all.
 * Capturing and invoking call it; the code that wires them passes their settings.
 * Internal: not exported; nothing here runs user code but the accessors Jackson needs, and no text ever names a class.
 */
@NullMarked
package dev.treadle.payload;

import org.jspecify.annotations.NullMarked;
