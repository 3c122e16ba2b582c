package dev.treadle.server;

/** How far a server has come. */
public enum ServerState {
    /** It claims and runs jobs. */
    RUNNING,
    /** It claims nothing more, and waits for what runs. */
    STOPPING,
    /** All its threads have ended, or are no longer waited for. */
    STOPPED
}
