package dev.treadle.server;

/** The state of a server. */
public enum ServerState {
    /** It claims and runs jobs. */
    RUNNING,
    /** It claims no more jobs and waits for those that run. */
    STOPPING,
    /** It has stopped. Its threads have ended, or it no longer waits for them. */
    STOPPED
}
