/** What becomes of a job: one pure, total function from where it stands and what happens to what is to be written. */
@NullMarked
package dev.treadle.lifecycle;

import org.jspecify.annotations.NullMarked;
