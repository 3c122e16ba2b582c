package dev.treadle.payload;

/**
 * A method that has a name of its own, or former ones.
 *
 * @param text     name and parameter types, as its class has it
 * @param name     what it is stored as
 * @param formerly its former names, as stored
 */
record KnownMethod(String text, String name, FormerNames formerly) {
    /** What unique names and derived ids are made of. */
    String identity() {
        String oldest = formerly.oldest();
        return oldest == null ? name : oldest;
    }
}
