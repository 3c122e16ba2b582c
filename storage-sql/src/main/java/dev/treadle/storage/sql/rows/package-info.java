/** Rows to values and back, and what every dialect counts and numbers alike. */
@NullMarked
package dev.treadle.storage.sql.rows;

import org.jspecify.annotations.NullMarked;
