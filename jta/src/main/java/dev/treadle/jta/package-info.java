/** Jobs in transactions of a JTA transaction manager. */
@NullMarked
package dev.treadle.jta;

import org.jspecify.annotations.NullMarked;
