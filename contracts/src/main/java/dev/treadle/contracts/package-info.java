/**
 * What storages and executors are held to. The contracts are in the packages below; extend one, and hand it an
 * implementation.
 */
@NullMarked
package dev.treadle.contracts;

import org.jspecify.annotations.NullMarked;
