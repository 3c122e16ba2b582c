package dev.treadle.simulation;

/** Which version of the user's code a node runs, as in a rolling deployment. */
enum Release {
    OLD,
    NEW
}
