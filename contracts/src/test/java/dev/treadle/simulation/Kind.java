package dev.treadle.simulation;

/** What a simulated job does when it is run. */
enum Kind {
    GOOD(Deployment.Known.class),
    /** Ends in any ordinary way, differently each time. */
    FLAKY(Deployment.Known.class),
    DOOMED(Deployment.Known.class),
    GIVES_UP(Deployment.Known.class),
    /** Wants to run later, and now and then does so for good. */
    SLEEPY(Deployment.Known.class),
    /** Has a timeout that it may outlive. */
    TIMED(Deployment.Known.class),
    /** Throws what breaks whoever looks at it. */
    HOSTILE(Deployment.Known.class),
    /** Throws a text that the storage refuses. */
    UNSTORABLE(Deployment.Known.class),
    /** Ends the process it runs in. */
    POISON(Deployment.Known.class),
    WIRED_IN_NEW(Deployment.Rewired.class),
    READ_BY_NOBODY(Deployment.Known.class),
    KNOWN_TO_NEW(Deployment.Fresh.class),
    KNOWN_TO_NOBODY(Deployment.Forgotten.class);

    private final Class<?> target;

    Kind(Class<?> target) {
        this.target = target;
    }

    Class<?> target() {
        return target;
    }
}
