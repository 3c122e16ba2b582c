package dev.treadle.simulation;

/** What a simulated job does when it is run. */
enum Kind {
    GOOD(Kind.KNOWN),
    /** Ends in any ordinary way, differently each time. */
    FLAKY(Kind.KNOWN),
    DOOMED(Kind.KNOWN),
    GIVES_UP(Kind.KNOWN),
    /** Throws what breaks whoever looks at it. */
    HOSTILE(Kind.KNOWN),
    /** Throws a text that the storage refuses. */
    UNSTORABLE(Kind.KNOWN),
    /** Ends the process it runs in. */
    POISON(Kind.KNOWN),
    READ_BY_NEW(Kind.KNOWN),
    READ_BY_NOBODY(Kind.KNOWN),
    KNOWN_TO_NEW(Kind.FRESH),
    KNOWN_TO_NOBODY("simulation.Forgotten");

    /** A target that every release knows. */
    static final String KNOWN = "simulation.Known";
    /** A target that only the new release knows. */
    static final String FRESH = "simulation.Fresh";

    private final String target;

    Kind(String target) {
        this.target = target;
    }

    String target() {
        return target;
    }
}
