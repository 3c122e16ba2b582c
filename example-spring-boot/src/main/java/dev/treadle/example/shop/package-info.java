/** A web shop with Spring Boot, as people write them, and the command that starts it. */
@NullMarked
package dev.treadle.example.shop;

import org.jspecify.annotations.NullMarked;
