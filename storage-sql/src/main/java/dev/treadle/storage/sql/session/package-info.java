/** One connection for one call: which statement is sent, in which transaction, and what a failure means. */
@NullMarked
package dev.treadle.storage.sql.session;

import org.jspecify.annotations.NullMarked;
