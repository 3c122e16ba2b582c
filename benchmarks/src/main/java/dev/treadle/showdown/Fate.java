package dev.treadle.showdown;

/** How a run ended. */
enum Fate {
    FINISHED("finished"),
    OUT_OF_MEMORY("out of memory"),
    OVER_TIME("over its time limit"),
    INCOMPLETE("ended without all slips");

    private final String printed;

    Fate(String printed) {
        this.printed = printed;
    }

    String printed() {
        return printed;
    }
}
