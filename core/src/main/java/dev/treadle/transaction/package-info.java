/** Taking part in transactions of the application: what links to transaction managers implement. */
@NullMarked
package dev.treadle.transaction;

import org.jspecify.annotations.NullMarked;
