/** PostgreSQL's own ways, each faster than the portable one, and its notifications. */
@NullMarked
package dev.treadle.storage.sql.postgresql;

import org.jspecify.annotations.NullMarked;
