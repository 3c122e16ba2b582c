/** What only dashboards and operators ask of a storage. */
@NullMarked
package dev.treadle.storage.admin;

import org.jspecify.annotations.NullMarked;
