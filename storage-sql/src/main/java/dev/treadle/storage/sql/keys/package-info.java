/** Jobs with a key: their queues and slots. */
@NullMarked
package dev.treadle.storage.sql.keys;

import org.jspecify.annotations.NullMarked;
