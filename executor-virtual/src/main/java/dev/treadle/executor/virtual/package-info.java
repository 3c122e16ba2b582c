/**
 * The executor that starts one virtual thread per task.
 * Exported, so that an instance can be passed; otherwise having this jar is enough, and discovery finds it.
 * It may use core's {@code executor} package and nothing else of Treadle.
 */
@NullMarked
package dev.treadle.executor.virtual;

import org.jspecify.annotations.NullMarked;
