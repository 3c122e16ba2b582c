package dev.treadle.simulation;

import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobContext;
import dev.treadle.job.RetryAfterException;
import dev.treadle.job.SnoozeException;
import dev.treadle.job.StopReason;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What jobs do on one node, and what must hold while they do it. */
final class UserCode {
    /** A clock that runs too fast takes this share of the time for all of it. */
    private static final double SLOWEST = 0.8;

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

    /** What a job does while it holds its lease. */
    interface Body<R extends @Nullable Object> {
        R under(JobTrack track, long token) throws Exception;
    }

    @Nullable
    Void run(Kind kind, JobContext context) throws Exception {
        return this.<@Nullable Void>framed(context, (track, token) -> {
            if (kind == Kind.FLAKY) {
                step("step-" + dice.below(2), track, token, context);
            }
            end(kind);
            return null;
        });
    }

    /** Runs the code of a job, and says what became of it. */
    <R extends @Nullable Object> R framed(JobContext context, Body<R> body) throws Exception {
        JobTrack track = cluster.ledger().track(context.jobId());
        long token = node.begins(track, notes);
        long began = cluster.time().nanos();
        track.runningOn.add(node);
        try {
            if (track.living().stream().distinct().count() > 1) {
                notes.reached(Sometimes.RAN_ON_TWO_NODES_AT_ONCE);
            }
            notes.say(node.name(), "runs", track);
            if (dice.chance(0.5)) {
                cluster.letOthersRun();
            }
            if (node.isGone()) {
                throw new SimulatedCrash();
            }
            if (node.isInterrupted() && context.shouldStop() && context.stopReason() != StopReason.TIMED_OUT) {
                track.ended(token, Ended.STOPPED);
                throw new InterruptedException("interrupted");
            }
            askWhyToStop(track, token, context, cluster.time().nanos() - began);
            track.ended(token, Ended.BADLY);
            R returned = body.under(track, token);
            track.ended(token, Ended.WELL);
            return returned;
        } catch (GiveUpException e) {
            track.ended(token, Ended.FOR_GOOD);
            throw e;
        } catch (SnoozeException e) {
            track.ended(token, Ended.SNOOZING);
            throw e;
        } finally {
            track.runningOn.remove(node);
            node.ended(track);
        }
    }

    /** Mostly does as it is told, and now and then goes on. */
    private void askWhyToStop(JobTrack track, long token, JobContext context, long ranFor) throws InterruptedException {
        StopReason why = context.stopReason();
        if (why == StopReason.LEASE_LOST) {
            notes.reached(Sometimes.TOLD_THAT_ITS_LEASE_IS_LOST);
            notes.demand(
                    track.token != token,
                    Invariant.ONLY_WHO_LOST_ITS_LEASE_IS_TOLD_SO,
                    () -> track + " was told to end under token " + token);
        }
        if (why == StopReason.TIMED_OUT) {
            notes.reached(Sometimes.TIMED_OUT_WHILE_IT_RAN);
            Duration timeout = Objects.requireNonNull(track.inserted.traits().timeout());
            // by the clock of the node, which may run too fast
            double least = timeout.toNanos() * SLOWEST;
            notes.demand(
                    Duration.ZERO.equals(context.remaining()) && ranFor >= least - 1_000_000,
                    Invariant.NO_TIME_IS_OVER_TOO_SOON,
                    () -> track + " was told after " + ranFor + " ns that its time is over, with " + context.remaining()
                            + " left");
        }
        boolean asked = why == StopReason.LEASE_LOST || why == StopReason.TIMED_OUT;
        if (asked && dice.chance(0.7)) {
            track.ended(token, Ended.BADLY);
            throw new InterruptedException("told to end");
        }
    }

    /** A step that returns the token of the run that does it. */
    void step(String name, JobTrack track, long token, JobContext context) throws Exception {
        Long known = track.steps.get(name);
        long doneUnder = context.step(name, () -> {
            // a run that has lost its lease cannot know, and its record is refused
            notes.demand(
                    track.token != token || !track.steps.containsKey(name),
                    Invariant.A_RECORDED_STEP_IS_DONE_ONCE,
                    () -> name + " of " + track + " is done again under token " + token);
            if (dice.chance(0.3)) {
                cluster.letOthersRun();
            }
            return token;
        });
        Long before = track.steps.putIfAbsent(name, doneUnder);
        notes.demand(
                before == null || before == doneUnder,
                Invariant.A_RECORDED_STEP_IS_DONE_ONCE,
                () -> name + " of " + track + " returned " + before + " before, and now " + doneUnder);
        if (known != null) {
            notes.reached(Sometimes.STEP_GIVEN_BACK);
        }
    }

    private void end(Kind kind) throws Exception {
        switch (kind) {
            case SLEEPY -> {
                if (dice.chance(0.6)) {
                    throw new SnoozeException(dice.millis(-5, 400));
                }
            }
            case FLAKY -> flaky(dice.below(5));
            case DOOMED -> throw new UserError("doomed");
            case GIVES_UP -> throw new GaveUp();
            case UNSTORABLE -> throw UserError.unstorable();
            case HOSTILE -> hostile(dice.below(5));
            case POISON -> {
                cluster.crash(node);
                throw new SimulatedCrash();
            }
            case GOOD, TIMED, WIRED_IN_NEW, READ_BY_NOBODY, KNOWN_TO_NEW, KNOWN_TO_NOBODY -> {
                // ends well
            }
        }
    }

    private void flaky(int how) throws Exception {
        if (how == 0) {
            throw new UserError("bad luck");
        }
        if (how == 1) {
            throw new AskedLater(dice.millis(0, 500));
        }
    }

    private static void hostile(int how) throws Exception {
        switch (how) {
            case 0 -> throw UserError.breakingTheRule();
            case 1 -> throw UserError.breakingWhoAsks();
            case 2 -> throw new AskedLater(Duration.ofSeconds(-1));
            case 3 -> throw new AskedLater(FOREVER);
            default -> throw new UserError("\ud800 half of a pair and \0");
        }
    }

    /** Without a stack trace, as is the next one, because there are many. */
    private static final class AskedLater extends RetryAfterException {
        private static final long serialVersionUID = 1L;

        AskedLater(Duration delay) {
            super(delay, null);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    private static final class GaveUp extends GiveUpException {
        private static final long serialVersionUID = 1L;

        GaveUp() {
            super("gives up");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
