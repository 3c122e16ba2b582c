/** What is asked for a verdict, and the rules that make it. */
@NullMarked
package dev.treadle.health.rules;

import org.jspecify.annotations.NullMarked;
