/** Where connections come from, and what each is for (ADR 22). */
@NullMarked
package dev.treadle.storage.sql.connections;

import org.jspecify.annotations.NullMarked;
