/** The MariaDB that tests start, stop and kill. */
@NullMarked
package dev.treadle.mariadb;

import org.jspecify.annotations.NullMarked;
