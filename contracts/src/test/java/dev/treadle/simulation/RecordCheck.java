package dev.treadle.simulation;

import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import java.util.List;

/** What one write of endings must have done to the jobs, and to them only. */
final class RecordCheck {
    private final Ledger ledger;
    private final Notes notes;

    RecordCheck(Ledger ledger, Notes notes) {
        this.ledger = ledger;
        this.notes = notes;
    }

    void check(List<Transition> endings, List<WriteResult> results) {
        notes.demand(
                results.size() == endings.size(),
                Invariant.CALLS_KEEP_THE_CONTRACT,
                () -> endings.size() + " endings and " + results.size() + " answers");
        for (int i = 0; i < endings.size(); i++) {
            Transition ending = endings.get(i);
            JobTrack track = ledger.track(ending.lease().job().id());
            WriteResult result = results.get(i);
            boolean written = result.equals(WriteResult.WRITTEN);
            if (track.state == StateName.PROCESSING
                    && track.token == ending.lease().token()) {
                notes.demand(
                        written,
                        Invariant.WHAT_IS_WRITTEN_IS_KEPT,
                        () -> track + " held its lease and was answered " + result);
                current(track, ending);
            } else {
                stale(track, ending, written);
            }
        }
    }

    private void stale(JobTrack track, Transition ending, boolean written) {
        // of a deleted job nobody remembers how it ended
        boolean repeated = track.wasTold(ending.lease().token(), ending.event()) && !ledger.isDeleted(track);
        notes.demand(
                written == repeated,
                Invariant.A_STALE_LEASE_NEVER_WRITES,
                () -> "token " + ending.lease().token() + " wrote " + ending.event() + " to " + track);
        if (track.touched == null) {
            track.touched = Invariant.A_STALE_LEASE_NEVER_WRITES;
        }
        if (ending.event() == Event.NODE_LOST) {
            notes.reached(Sometimes.RESCUE_LOST_THE_RACE);
        } else if (ending.event() != null) {
            notes.reached(repeated ? Sometimes.ENDING_WRITTEN_TWICE : Sometimes.ZOMBIE_REFUSED);
        }
    }

    private void current(JobTrack track, Transition ending) {
        long token = track.token;
        track.told(token, ending.event());
        track.token = 0;
        track.become(after(track, ending), Invariant.WHAT_IS_WRITTEN_IS_KEPT);
        if (ending.trigger() == Trigger.PARK) {
            track.attempt--;
            notes.reached(Sometimes.PARKED);
        }
        if (ending.trigger() == Trigger.SNOOZE) {
            track.attempt--;
            track.stopped(token);
            notes.reached(Sometimes.SNOOZED);
        }
        if (ending.trigger() == Trigger.SUSPEND) {
            track.attempt--;
            track.stopped(token);
            notes.reached(Sometimes.SUSPENDED);
        }
        if (ending.result() != null) {
            track.results.add(String.valueOf(ending.result().json()));
        }
        if (ending.next() == StateName.ENQUEUED) {
            track.attempt--;
            givenBack(track, token, ending);
        }
        if (ending.event() == Event.NODE_LOST) {
            notes.reached(Sometimes.RESCUED);
        }
        notes.demand(
                track.allows(token, ending),
                Invariant.WHAT_IS_WRITTEN_IS_WHAT_HAPPENED,
                () -> ending.trigger() + " was written to " + track);
    }

    private void givenBack(JobTrack track, long token, Transition back) {
        if (back.ranFor() != null) {
            track.stopped(token);
            notes.reached(Sometimes.STOPPED_WHILE_IT_RAN);
            return;
        }
        notes.demand(
                !track.hasStarted(token),
                Invariant.ATTEMPTS_STAY_WITHIN_BOUNDS,
                () -> track + " was given back as if it had not begun under token " + token);
        notes.reached(Sometimes.GIVEN_BACK_BEFORE_IT_BEGAN);
    }

    private StateName after(JobTrack track, Transition ending) {
        if (ending.next() == StateName.FAILED) {
            failed(track, ending);
        }
        if (ending.trigger() == Trigger.RETRY || ending.trigger() == Trigger.RESCUE) {
            notes.reached(Sometimes.RETRIED);
        }
        return ending.next();
    }

    private void failed(JobTrack track, Transition fail) {
        if (fail.event() == Event.NODE_LOST) {
            notes.reached(Sometimes.POISON_FAILED_FOR_GOOD);
        }
        notes.reached(track.attempt == track.attemptsMax ? Sometimes.RETRIES_EXHAUSTED : Sometimes.GAVE_UP);
        if (fail.why().type().equals("NotStorable")) {
            notes.reached(Sometimes.TEXT_REPLACED_THAT_CANNOT_BE_STORED);
        }
    }
}
