/** Blocks of code that run in one transaction, and what plain calls on their thread take part in. */
@NullMarked
package dev.treadle.commit;

import org.jspecify.annotations.NullMarked;
