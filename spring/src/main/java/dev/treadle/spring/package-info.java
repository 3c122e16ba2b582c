/** Jobs in Spring's transactions. */
@NullMarked
package dev.treadle.spring;

import org.jspecify.annotations.NullMarked;
