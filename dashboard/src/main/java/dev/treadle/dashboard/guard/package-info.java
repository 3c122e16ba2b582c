/**
 * Who may do what: hosts, users, roles, and what every write must bring.
 */
@NullMarked
package dev.treadle.dashboard.guard;

import org.jspecify.annotations.NullMarked;
