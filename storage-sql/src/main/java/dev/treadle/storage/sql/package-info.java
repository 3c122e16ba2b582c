/**
 * Jobs in H2, PostgreSQL or MariaDB, behind the storage port of core. Users choose a database with {@link
 * dev.treadle.storage.sql.SqlStorageProvider}; the engine sees only the port. There is no SQL in Java here: one verb,
 * one file, and a dialect's folder lists what that database does differently.
 */
@NullMarked
package dev.treadle.storage.sql;

import org.jspecify.annotations.NullMarked;
