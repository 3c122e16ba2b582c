/** Treadle in applications of Spring Boot: auto-configuration, properties, and explanations of failures. */
@NullMarked
package dev.treadle.spring.boot;

import org.jspecify.annotations.NullMarked;
