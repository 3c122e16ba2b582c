/**
 * What users set and see of a running server. Exported. The server itself is made by {@link dev.treadle.Treadle}.
 */
@NullMarked
package dev.treadle.server;

import org.jspecify.annotations.NullMarked;
