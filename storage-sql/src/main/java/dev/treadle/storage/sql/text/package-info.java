/** Values that are kept as text in one column. */
@NullMarked
package dev.treadle.storage.sql.text;

import org.jspecify.annotations.NullMarked;
