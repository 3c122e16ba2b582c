/** An experiment with the shop: what waits, on platform and on virtual threads. */
@NullMarked
package dev.treadle.example.shop.experiment;

import org.jspecify.annotations.NullMarked;
