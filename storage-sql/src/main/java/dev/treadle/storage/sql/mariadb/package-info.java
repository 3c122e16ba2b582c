/** What only MariaDB needs. */
@NullMarked
package dev.treadle.storage.sql.mariadb;

import org.jspecify.annotations.NullMarked;
