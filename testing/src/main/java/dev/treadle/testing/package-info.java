/** What applications test their jobs with: time that stands still until a test moves it. */
@NullMarked
package dev.treadle.testing;

import org.jspecify.annotations.NullMarked;
