/** What applications test their jobs with: {@link dev.treadle.testing.TreadleTest} is where to begin. */
@NullMarked
package dev.treadle.testing;

import org.jspecify.annotations.NullMarked;
