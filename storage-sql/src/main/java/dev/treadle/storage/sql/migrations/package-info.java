/** The numbered steps from an empty database to the present tables. */
@NullMarked
package dev.treadle.storage.sql.migrations;

import org.jspecify.annotations.NullMarked;
