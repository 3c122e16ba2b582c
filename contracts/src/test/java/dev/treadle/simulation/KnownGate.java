package dev.treadle.simulation;

import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JoinRule;
import dev.treadle.job.StateName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What must be true of one gate. */
final class KnownGate {
    final GateId id;
    final JobId waiter;
    final String name;
    /** In the order in which they were spawned. */
    final List<JobId> children = new ArrayList<>();
    /** Those that somebody ran again after nobody waited for them any more. */
    final Set<JobId> excused = new HashSet<>();

    boolean sealed;
    /** What its waiter waits for if it is suspended; null if not for this. */
    @Nullable
    JoinRule awaited;

    boolean awaitsEvent;
    /** When the time of its event is over; null if it waits for none. */
    @Nullable
    Instant until;
    /** Its time is over, and the job was told so. */
    boolean over;
    /** So many of its children may be cancelled, the first ones. */
    int mayCancel;

    private final Ledger ledger;

    KnownGate(GateId id, JobId waiter, String name, Ledger ledger) {
        this.id = id;
        this.waiter = waiter;
        this.name = name;
        this.ledger = ledger;
    }

    long spawned() {
        return children.size();
    }

    /** How many of the children are there. */
    long in(StateName state) {
        return children.stream()
                .filter(child -> ledger.track(child).state == state)
                .count();
    }

    boolean isComplete() {
        return sealed
                && children.stream().allMatch(child -> ledger.track(child).state.isFinal());
    }

    /** Whether the children let the waiter go on. */
    boolean isOpen() {
        return awaited != null
                && (isComplete()
                        || switch (awaited) {
                            case ALL_SUCCEED -> in(StateName.FAILED) + in(StateName.CANCELLED) > 0;
                            case ALL_END -> false;
                            case ANY_SUCCEEDS -> in(StateName.SUCCEEDED) > 0;
                        });
    }

    boolean isOverdue(SimTime time) {
        return until != null && !until.isAfter(time.instant());
    }

    /** Whether its event may stay away for longer than that. */
    boolean isFar(SimTime time, Duration longest) {
        return until != null && until.isAfter(time.instant().plus(longest));
    }

    /** Whether children are left, and none of them can come to an end. */
    boolean isStuck(Predicate<JobTrack> mayStay) {
        List<JobTrack> left = children.stream()
                .map(ledger::track)
                .filter(child -> !child.state.isFinal())
                .toList();
        return !left.isEmpty() && left.stream().allMatch(mayStay);
    }

    void awaitNothing() {
        awaited = null;
        awaitsEvent = false;
    }

    /** Nobody waits for its children any more. */
    void nobodyWaits() {
        mayCancel = children.size();
        excused.clear();
    }

    @Override
    public String toString() {
        List<JobTrack> tracks = children.stream().map(ledger::track).toList();
        return "'" + name + "' " + (sealed ? "" : "unsealed ") + tracks
                + (awaited == null ? "" : " awaited " + awaited)
                + (until == null ? "" : (awaitsEvent ? " awaits an event until " : " for an event until ") + until);
    }
}
