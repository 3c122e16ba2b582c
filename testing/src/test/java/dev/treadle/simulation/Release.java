package dev.treadle.simulation;

/** Which version of the user's code a node runs, as in a rolling deployment. */
enum Release {
    OLD,
    NEW;

    boolean knows(String target) {
        return target.equals(Kind.KNOWN) || this == NEW && target.equals(Kind.FRESH);
    }

    /** Whether it can read the arguments of a job whose target it knows. */
    boolean reads(Kind kind) {
        return kind != Kind.READ_BY_NOBODY && (this == NEW || kind != Kind.READ_BY_NEW);
    }
}
