/**
 * Decides how many jobs run on this node and hands each one to its executor. Internal: not exported. The server drives it,
 * and job threads return through it. Nothing here talks to a database or calls user code itself.
 */
@NullMarked
package dev.treadle.dispatch;

import org.jspecify.annotations.NullMarked;
