package dev.treadle.storage.sql;

/**
 * Whether a pooler such as PgBouncer stands between this process and PostgreSQL. It matters when connections share sessions
 * of the server, as in PgBouncer's transaction mode: then nothing may stay in a session from one transaction to the next,
 * neither a prepared statement nor a setting nor a LISTEN.
 */
public enum Pooler {
    /** Look, and take a pooler that is found for one whose connections share sessions. */
    DETECT,
    /** If there is a pooler, each connection keeps a session of its own, as with PgBouncer's {@code pool_mode = session}. */
    SESSION,
    /** There is a pooler whose connections share sessions, also if it hides that. */
    TRANSACTION
}
