/** What the engine asks of a storage: inserts, endings, rescues, nodes, runs, retention. */
@NullMarked
package dev.treadle.storage.sql.jobs;

import org.jspecify.annotations.NullMarked;
