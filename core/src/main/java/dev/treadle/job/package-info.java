/**
 * The nouns that all packages share: a job, its states, what it calls, and what users implement. All packages may use
 * them; everything here is immutable or an interface. Nothing here knows storage, threads, the clock or any other
 * package of Treadle.
 */
@NullMarked
package dev.treadle.job;

import org.jspecify.annotations.NullMarked;
