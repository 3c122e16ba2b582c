/**
 * What tests of background jobs need, whoever writes them: time that stands still until it is told to move.
 * The contract suites that storages and executors extend are in the packages below.
 */
@NullMarked
package dev.treadle.testing;

import org.jspecify.annotations.NullMarked;
