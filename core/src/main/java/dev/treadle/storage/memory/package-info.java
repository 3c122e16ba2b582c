/** Jobs in the memory of this process. */
@NullMarked
package dev.treadle.storage.memory;

import org.jspecify.annotations.NullMarked;
