package dev.treadle.simulation;

import dev.treadle.job.Due;
import dev.treadle.job.JobTraits;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.RecurringJob.Plan;
import dev.treadle.lifecycle.RecurringJob.Progress;
import dev.treadle.lifecycle.RecurringJob.Standing;
import dev.treadle.lifecycle.RecurringJob.Status;
import dev.treadle.schedule.Missed;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.RecurringStorage.Advance;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The recurring jobs of one world, under the policy that makes up for everything: which slot must come next for each. */
final class Recurrences {
    private static final RecurringRules ALL =
            RecurringRules.DEFAULT.withMissed(Missed.all(Missed.CATCH_UP_MAX)).withMissedAfter(Duration.ofSeconds(1));

    private final Notes notes;
    private final SimTime time;
    private final Map<String, Track> tracks = new HashMap<>();

    /** Nothing later has to be dealt with; null while the world goes on. */
    private @Nullable Instant end;

    private static final class Track {
        private final Duration interval;
        private Instant next;
        private boolean over;

        Track(Duration interval, Instant next) {
            this.interval = interval;
            this.next = next;
        }
    }

    Recurrences(Notes notes, SimTime time) {
        this.notes = notes;
        this.time = time;
    }

    void declare(int count, Dice dice, RecurringStorage storage) {
        for (int i = 1; i <= count; i++) {
            Duration interval = dice.millis(700, 4_000);
            Instant first = time.instant().plus(dice.millis(0, 2_000));
            String text = Schedule.every(interval, first).toText();
            String id = "r" + i;
            tracks.put(id, new Track(interval, first));
            storage.write(new RecurringJob(
                    id,
                    new Plan(Deployment.invocation(Kind.GOOD), JobTraits.DEFAULT, text, text, ALL),
                    Progress.from(first),
                    new Standing(Status.ACTIVE, null, null, time.instant()),
                    0));
        }
    }

    /** Recurring jobs were moved on: each must have dealt with the slots that were next, one job for each. */
    void moved(List<Advance> advances, Set<String> moved) {
        for (Advance advance : advances) {
            String id = advance.seen().id();
            Track track = tracks.get(id);
            if (moved.contains(id) && track != null) {
                advance.jobs().forEach(job -> slot(id, track, job));
                demand(
                        track.next.equals(advance.progress().next()),
                        () -> id + " goes on with " + advance.progress().next() + " and has to with " + track.next);
                notes.reached(Sometimes.SLOT_DEALT_WITH);
            } else if (track != null) {
                notes.reached(Sometimes.SLOT_LOST_THE_RACE);
            }
        }
    }

    private void slot(String id, Track track, NewJob job) {
        Instant slot = ((Due.At) job.due()).instant();
        demand(slot.equals(track.next), () -> id + " made a job for " + slot + " and has to for " + track.next);
        notes.demand(
                !slot.isAfter(time.instant().plus(RecurringStorage.AHEAD)),
                Invariant.NOTHING_RUNS_BEFORE_ITS_TIME,
                () -> id + " made a job for " + slot + " at " + time.instant());
        track.next = slot.plus(track.interval);
    }

    private void demand(boolean holds, java.util.function.Supplier<String> otherwise) {
        notes.demand(holds, Invariant.EACH_SLOT_HAS_ONE_JOB, otherwise);
    }

    /** No further slots have to come, but those that were due. */
    void end() {
        end = time.instant();
    }

    /** Whether all that was due has been dealt with; what has been is taken away, so that the world can come to rest. */
    boolean areSettled(RecurringStorage storage) {
        tracks.forEach((id, track) -> {
            if (!track.over && end != null && track.next.isAfter(end)) {
                RecurringJob job = storage.find(id).orElseThrow();
                track.over = storage.write(job.with(new Standing(Status.DELETED, "the end", null, time.instant())));
            }
        });
        return tracks.values().stream().allMatch(track -> track.over);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        tracks.forEach((id, track) -> text.append(track.over ? "" : id + " has not dealt with " + track.next + "; "));
        return text.toString();
    }
}
