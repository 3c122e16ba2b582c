/**
 * Permits, then threads: how many jobs run here, and handing each to the executor. Internal: not exported.
 * The server drives it; job threads come back through it.
 * Nothing here talks to a database or calls user code itself.
 */
@NullMarked
package dev.treadle.dispatch;

import org.jspecify.annotations.NullMarked;
