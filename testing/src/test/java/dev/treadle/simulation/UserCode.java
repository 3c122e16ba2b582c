package dev.treadle.simulation;

import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobContext;
import dev.treadle.job.RetryAfterException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What jobs do on one node, and what must hold while they do it. */
final class UserCode {
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final SimNode node;
    private final Cluster cluster;
    private final Notes notes;
    private final Dice dice;

    UserCode(SimNode node, Cluster cluster) {
        this.node = node;
        this.cluster = cluster;
        this.notes = cluster.notes();
        this.dice = cluster.dice();
    }

    @Nullable
    Void run(Kind kind, JobContext context) throws Exception {
        JobTrack track = cluster.ledger().track(context.jobId());
        node.begins(track, notes);
        track.runningOn.add(node);
        try {
            if (track.living().stream().distinct().count() > 1) {
                notes.reached(Sometimes.RAN_ON_TWO_NODES_AT_ONCE);
            }
            notes.say(node.name(), "runs", track);
            if (dice.chance(0.5)) {
                cluster.meanwhile();
            }
            if (node.isGone()) {
                throw new SimulatedCrash();
            }
            if (node.isInterrupted() && context.shouldStop()) {
                throw new InterruptedException("interrupted");
            }
            end(kind);
            return null;
        } finally {
            track.runningOn.remove(node);
            node.ended();
        }
    }

    private void end(Kind kind) throws Exception {
        switch (kind) {
            case FLAKY -> flaky(dice.below(5));
            case DOOMED -> throw new UserError("doomed");
            case GIVES_UP -> throw new GiveUpException("gives up");
            case UNSTORABLE -> throw UserError.unstorable();
            case HOSTILE -> hostile(dice.below(5));
            case POISON -> {
                cluster.crash(node);
                throw new SimulatedCrash();
            }
            case GOOD, WIRED_IN_NEW, READ_BY_NOBODY, KNOWN_TO_NEW, KNOWN_TO_NOBODY -> {
                // ends well
            }
        }
    }

    private void flaky(int how) throws Exception {
        if (how == 0) {
            throw new UserError("bad luck");
        }
        if (how == 1) {
            throw new RetryAfterException(dice.millis(0, 500), null);
        }
    }

    private static void hostile(int how) throws Exception {
        switch (how) {
            case 0 -> throw UserError.breakingTheRule();
            case 1 -> throw UserError.breakingWhoAsks();
            case 2 -> throw new RetryAfterException(Duration.ofSeconds(-1), null);
            case 3 -> throw new RetryAfterException(FOREVER, null);
            default -> throw new UserError("\ud800 half of a pair and \0");
        }
    }
}
