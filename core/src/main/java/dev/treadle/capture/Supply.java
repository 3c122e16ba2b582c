package dev.treadle.capture;

/** What the enqueuing process knows about the supplier of receivers. */
public enum Supply {
    /** An activator of the application, which can supply interfaces and proxied beans too. */
    ACTIVATOR,
    /** The default activator of this process, which creates an object of exactly the named type. */
    CONSTRUCTOR,
    /** The activator of another process, which is unknown here. */
    ELSEWHERE
}
