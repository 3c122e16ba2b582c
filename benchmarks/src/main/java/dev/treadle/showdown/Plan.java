package dev.treadle.showdown;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which runs there are, in which order, and how long each will take. */
final class Plan {
    /** What every executor may run at once when all get the same: the default of virtual threads. */
    static final int EQUAL_PERMITS = 1_000;

    private static final int WARM_UP_MIN = 8;
    private static final int WARM_UP_MAX = 100;
    /** What a JVM, its start of Treadle and its end take. */
    private static final double START_SECONDS = 5;

    private static final int LIMIT_FACTOR = 3;
    private static final Duration LIMIT_LEAST = Duration.ofMinutes(1);

    private final ShowdownOptions options;
    private final List<Contender> contenders;
    private final int cores;

    /**
     * One run.
     *
     * @param round from 1
     */
    record Run(Setup setup, int round) {
        String id() {
            return setup.id() + "-" + round;
        }
    }

    Plan(ShowdownOptions options, List<Contender> contenders, int cores) {
        this.options = options;
        this.contenders = contenders;
        this.cores = cores;
    }

    /** Round by round, so that a machine that becomes slower or faster does so to all. */
    List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        for (int round = 1; round <= options.rounds(); round++) {
            for (Setup setup : setups()) {
                runs.add(new Run(setup, round));
            }
        }
        return runs;
    }

    /** Each once, although virtual threads have as many permits by default as when all have the same. */
    private Set<Setup> setups() {
        Set<Setup> setups = new LinkedHashSet<>(defaults());
        for (String renderer : options.renderers()) {
            for (Contender contender : present()) {
                setups.add(new Setup(contender, renderer, EQUAL_PERMITS));
            }
        }
        return setups;
    }

    /** Each executor as it comes, with each renderer. */
    List<Setup> defaults() {
        List<Setup> setups = new ArrayList<>();
        for (String renderer : options.renderers()) {
            for (Contender contender : present()) {
                setups.add(new Setup(contender, renderer, contender.defaultPermits(cores)));
            }
        }
        return setups;
    }

    private List<Contender> present() {
        return contenders.stream().filter(Contender::isThere).toList();
    }

    /** How many slips are made before those that count: enough for the compiler to have seen the code. */
    int warmUp() {
        return Math.min(options.employees(), Math.max(WARM_UP_MIN, Math.min(WARM_UP_MAX, options.employees() / 10)));
    }

    /** What a run will take on a machine of two cores that does nothing else. */
    Duration estimate(Setup setup, int warmUp) {
        double perSlip = setup.renderer().equals("fop") ? 0.05 : 0.45;
        double slow = setup.renderer().equals("fop") ? 2 : 10;
        double working = (options.employees() + warmUp) * perSlip / cores;
        double waves = Math.ceil(options.employees() / (double) setup.permits());
        double seconds = START_SECONDS + slow + Math.max(working, waves * options.meanWait());
        return Duration.ofMillis(Math.round(seconds * 1_000));
    }

    /** When a run is ended by force. */
    Duration limit(Setup setup, int warmUp) {
        return estimate(setup, warmUp).multipliedBy(LIMIT_FACTOR).plus(LIMIT_LEAST);
    }
}
