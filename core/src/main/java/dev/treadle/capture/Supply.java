package dev.treadle.capture;

/** What the enqueuing process knows of the supplier of the object that a job is called on. */
public enum Supply {
    /** An activator of the application, which knows what stands behind a type: an interface, a proxied bean. */
    ACTIVATOR,
    /** The default one of this process: it makes an object of exactly the type that is named. */
    CONSTRUCTOR,
    /** That of another process, unknown here. */
    ELSEWHERE
}
