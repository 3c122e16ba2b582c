/** What dashboards and operators ask of a storage: lists, figures, moves, queues, recurring jobs. */
@NullMarked
package dev.treadle.storage.sql.admin;

import org.jspecify.annotations.NullMarked;
