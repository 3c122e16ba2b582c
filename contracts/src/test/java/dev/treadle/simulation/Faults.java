package dev.treadle.simulation;

import java.util.function.IntSupplier;

/**
 * Which faults one world has and how often, as shares of calls or steps. Each seed has only some of them: a world in
 * which everything fails at once gets nowhere interesting.
 *
 * @param fails      a storage call fails and has no effect
 * @param answerLost it takes effect and fails
 * @param late       it fails and takes effect later
 * @param inPart     a write of several endings takes effect for some of them and fails
 * @param slow       others go on while it is under way
 * @param refuses    the executor refuses a task
 * @param crash      a node is gone, per step
 * @param pause      a node stands still, per step
 * @param stop       a node is stopped gracefully, per step
 * @param outage     the storage is away for one actor or for all, per step
 * @param clockSet   the storage's clock is set by up to {@link #clockMillis} either way, per step
 * @param clockMillis most by which it is set, in milliseconds
 * @param leap       time leaps by up to {@link #leapMillis}, per step
 * @param leapMillis longest leap, in milliseconds
 * @param stepMillis most time that one step takes, in milliseconds
 * @param tasks      steps in a hundred in which a waiting job begins; few make jobs outlive their leases
 * @param unruly     turns are also taken before their rest has ended
 * @param drift      clocks run at rates from 1 - drift to 1 + drift
 */
record Faults(
        double fails,
        double answerLost,
        double late,
        double inPart,
        double slow,
        double refuses,
        double crash,
        double pause,
        double stop,
        double outage,
        double clockSet,
        int clockMillis,
        double leap,
        int leapMillis,
        int stepMillis,
        int tasks,
        boolean unruly,
        double drift) {

    /** In milliseconds. */
    private static final int HOUR = 3_600_000;

    static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 25, false, 0);

    /** Nodes that are stopped gracefully, or a storage that is away for everybody now and then; and a clock that is set. */
    static Faults calm(Dice dice) {
        boolean stops = dice.chance(0.5);
        double clockSet = dice.chance(0.5) ? 0.005 : 0;
        return new Faults(
                0, 0, 0, 0, 0, 0, 0, 0, stops ? 0.03 : 0, stops ? 0 : 0.005, clockSet, HOUR, 0, 1, 1, 25, false, 0);
    }

    static Faults of(Dice dice) {
        IntSupplier percent = () -> dice.chance(0.5) ? dice.between(1, 20) : 0;
        return new Faults(
                percent.getAsInt() / 100.0,
                percent.getAsInt() / 100.0,
                percent.getAsInt() / 100.0,
                percent.getAsInt() / 100.0,
                percent.getAsInt() / 100.0,
                percent.getAsInt() / 100.0,
                percent.getAsInt() / 1_500.0,
                percent.getAsInt() / 500.0,
                percent.getAsInt() / 2_000.0,
                percent.getAsInt() / 2_000.0,
                percent.getAsInt() / 1_000.0,
                dice.chance(0.3) ? HOUR : dice.between(500, 20_000),
                percent.getAsInt() / 1_000.0,
                dice.between(200, 4_000),
                dice.between(1, 20),
                dice.between(3, 25),
                dice.chance(0.5),
                dice.chance(0.5) ? 0.15 : 0);
    }
}
