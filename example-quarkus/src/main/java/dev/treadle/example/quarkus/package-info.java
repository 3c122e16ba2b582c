/** A shop whose orders take their jobs along. */
@NullMarked
package dev.treadle.example.quarkus;

import org.jspecify.annotations.NullMarked;
