/** What the starter has for Spring Boot 3, whose types have other names than those of Spring Boot 4. */
@NullMarked
package dev.treadle.spring.boot3;

import org.jspecify.annotations.NullMarked;
