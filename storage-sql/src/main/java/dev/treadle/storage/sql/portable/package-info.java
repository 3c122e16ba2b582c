/** What a database has to do for Treadle, and a way to do it that every SQL database has. */
@NullMarked
package dev.treadle.storage.sql.portable;

import org.jspecify.annotations.NullMarked;
