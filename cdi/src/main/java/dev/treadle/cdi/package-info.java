/** Jobs on beans of CDI, in JTA's transactions, with the life of the application. */
@NullMarked
package dev.treadle.cdi;

import org.jspecify.annotations.NullMarked;
