/**
 * The routes, and what each answers.
 */
@NullMarked
package dev.treadle.dashboard.api;

import org.jspecify.annotations.NullMarked;
