/**
 * The dashboard inside an application's own web server: a servlet, and who asks by the application's own security.
 */
@NullMarked
package dev.treadle.dashboard.servlet;

import org.jspecify.annotations.NullMarked;
