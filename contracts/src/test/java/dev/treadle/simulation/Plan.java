package dev.treadle.simulation;

import dev.treadle.job.Lane;
import dev.treadle.job.RetryPolicy;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.QueueSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one world is like, drawn from its seed.
 *
 * @param nodes    how many nodes there are when none is missing
 * @param clients  how many put work in
 * @param jobs     how many jobs each client puts in
 * @param kinds    what the jobs do
 * @param recurring how many recurring jobs there are
 * @param steps    how many steps there are before the faults end
 * @param calm     no malice, and nothing goes wrong that anybody could take for the death of a node
 * @param faults   what goes wrong
 * @param settings of every node
 * @param lanes    where jobs wait; several in half of all worlds
 */
record Plan(
        int nodes,
        int clients,
        int jobs,
        List<Kind> kinds,
        int recurring,
        int steps,
        boolean calm,
        Faults faults,
        JobServerSettings settings,
        List<Lane> lanes) {

    /** The queue that nodes know something about. */
    static final String MAIL = "mail";

    private static final String DB = "db";
    private static final String PDF = "pdf";
    private static final Set<String> GPU = Set.of("gpu");

    static Plan of(Dice dice) {
        boolean calm = dice.chance(0.08);
        JobServerSettings settings = JobServerSettings.DEFAULT
                .withDeadAfter(calm ? dice.millis(8_000, 15_000) : dice.millis(1_000, 1_500))
                .withPollMax(dice.millis(100, 1_000))
                .withRetention(retention(dice))
                .withRetries(RetryPolicy.DEFAULT
                        .withAttempts(dice.between(1, 4))
                        .withDelays(dice.millis(10, 300), Duration.ofSeconds(1)));
        return new Plan(
                dice.between(1, 5),
                dice.between(1, 2),
                calm ? dice.between(10, 40) : dice.between(3, 10),
                calm ? List.of(Kind.GOOD, Kind.FLAKY) : kinds(dice),
                dice.chance(0.25) ? dice.between(1, 2) : 0,
                calm ? dice.between(400, 1_500) : dice.between(50, 400),
                calm,
                calm ? Faults.calm(dice) : Faults.of(dice),
                settings,
                lanes(dice));
    }

    private static List<Lane> lanes(Dice dice) {
        if (dice.chance(0.5)) {
            return List.of(Lane.DEFAULT);
        }
        Lane mail = new Lane(MAIL, Set.of());
        Lane gpu = new Lane(Lane.DEFAULT.queue(), GPU);
        return dice.chance(0.5)
                ? List.of(Lane.DEFAULT, mail, gpu, new Lane(MAIL, GPU))
                : List.of(
                        Lane.DEFAULT,
                        new Lane(Lane.DEFAULT.queue(), Set.of(), Map.of(PDF, 1)),
                        new Lane(MAIL, GPU, Map.of(DB, 1, PDF, 2)),
                        mail);
    }

    /** Of one more node: what it serves, and how. */
    JobServerSettings settingsOfNode(Dice dice) {
        JobServerSettings settings = this.settings;
        if (dice.chance(0.15)) {
            // each node is judged by its own word
            settings = settings.withDeadAfter(settings.deadAfter().multipliedBy(dice.between(2, 3)));
        }
        if (lanes.size() == 1) {
            return settings;
        }
        QueueSettings mail = QueueSettings.of(MAIL).withWeight(dice.between(1, 3));
        if (dice.chance(0.5)) {
            mail = mail.withConcurrency(dice.between(1, 2));
        }
        if (dice.chance(0.3)) {
            mail = mail.withExecutor(SimNode.SIDE);
        }
        JobServerSettings served = dice.chance(0.2) ? settings.withOnlyQueues(mail) : settings.withQueues(mail);
        served = served.withResource(DB, dice.between(1, 2)).withResource(PDF, dice.between(1, 3));
        return dice.chance(0.5) ? served.withTags("gpu") : served;
    }

    /** Some worlds keep every job, some forget some of them soon. */
    private static RetentionSettings retention(Dice dice) {
        if (dice.chance(0.7)) {
            return RetentionSettings.FOR_EVER;
        }
        return RetentionSettings.DEFAULT.withUsual(RetentionSettings.Ages.FOR_EVER
                .withSucceeded(dice.millis(0, 3_000))
                .withFailed(dice.chance(0.5) ? null : dice.millis(0, 3_000))
                .withCancelled(dice.millis(0, 3_000)));
    }

    /** Half of all kinds, and as many good ones. */
    private static List<Kind> kinds(Dice dice) {
        List<Kind> kinds = new ArrayList<>(List.of(Kind.GOOD));
        for (Kind kind : Kind.values()) {
            if (dice.chance(0.4)) {
                kinds.add(kind);
                kinds.add(Kind.GOOD);
            }
        }
        return kinds;
    }
}
