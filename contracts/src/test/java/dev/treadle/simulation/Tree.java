package dev.treadle.simulation;

import dev.treadle.job.JobRequest;
import dev.treadle.job.JoinRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A job that spawns jobs, waits for them, for events and for time. What it does follows from its script alone, so that it
 * does the same in each run.
 *
 * @param script a number, and how many levels of children it may have below it, as in 17/2
 */
record Tree(String script) implements JobRequest<Long> {
    private static final Duration LONG = Duration.ofDays(30);

    /** What its code does at one place. */
    enum What {
        STEP,
        /** Spawns one child and joins it. */
        ONE,
        /** Spawns several and joins them. */
        MANY,
        /** Spawns twice before it joins the second ones and then the first. */
        CROSSED,
        /** Spawns several and lets them be. */
        LEAVE,
        /** Spawns a job that no node can run, and joins it. */
        LOST,
        SLEEP,
        AWAIT
    }

    /**
     * One of the things that its code does, in this order.
     *
     * @param name    unique in this job
     * @param count   how many children
     * @param catches whether it goes on when a child has failed
     * @param time    how long it sleeps, or waits for an event
     */
    record Act(What what, String name, int count, JoinRule rule, boolean catches, Duration time) {}

    static Tree of(long seed, int depth) {
        return new Tree(seed + "/" + depth);
    }

    /** All chance that is part of the script. */
    Dice dice() {
        return new Dice(Long.parseLong(script.substring(0, script.indexOf('/'))));
    }

    int depth() {
        return Integer.parseInt(script.substring(script.indexOf('/') + 1));
    }

    /** The children that one act spawns. */
    Stream<Tree> children(Act act, String name) {
        long seed = dice().source().nextLong() + name.hashCode() * 1_000L;
        return IntStream.range(0, act.count()).mapToObj(i -> of(seed + i, depth() - 1));
    }

    List<Act> acts() {
        Dice dice = dice();
        // the first number is the seed of its children
        dice.source().nextLong();
        List<Act> acts = new ArrayList<>();
        int depth = depth();
        for (int count = depth == 0 ? dice.below(2) : dice.between(1, 3); count > 0; count--) {
            What what = what(dice, depth);
            acts.add(new Act(
                    what,
                    "act-" + count,
                    what == What.ONE || what == What.LOST ? 1 : dice.between(dice.chance(0.1) ? 0 : 1, 4),
                    dice.pick(List.of(JoinRule.values())),
                    dice.chance(0.5),
                    time(what, dice)));
        }
        return acts;
    }

    private static What what(Dice dice, int depth) {
        int chosen = dice.below(100);
        if (chosen < 20) {
            return What.STEP;
        }
        if (chosen < 32) {
            return What.SLEEP;
        }
        if (chosen < 44 || depth == 0) {
            return What.AWAIT;
        }
        if (chosen < 56) {
            return What.ONE;
        }
        if (chosen < 85) {
            return What.MANY;
        }
        return dice.pick(List.of(What.CROSSED, What.CROSSED, What.LEAVE, What.LOST));
    }

    private static Duration time(What what, Dice dice) {
        if (what == What.SLEEP) {
            return dice.chance(0.1) ? LONG : dice.millis(0, 3_000);
        }
        return dice.chance(0.5) ? LONG : dice.millis(0, 2_000);
    }
}
