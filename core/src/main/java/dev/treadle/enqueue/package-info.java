/**
 * What stands behind {@code api}: jobs get their ids and are inserted, alone or together with others. Internal: not
 * exported. The root package makes it. Nothing here needs a server in this process or starts a thread.
 */
@NullMarked
package dev.treadle.enqueue;

import org.jspecify.annotations.NullMarked;
