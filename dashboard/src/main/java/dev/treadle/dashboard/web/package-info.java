/**
 * Requests, answers, and the server of the JDK under them; other servers mount the same handler.
 */
@NullMarked
package dev.treadle.dashboard.web;

import org.jspecify.annotations.NullMarked;
