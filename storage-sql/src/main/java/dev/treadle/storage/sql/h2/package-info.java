/** What only H2 needs. */
@NullMarked
package dev.treadle.storage.sql.h2;

import org.jspecify.annotations.NullMarked;
