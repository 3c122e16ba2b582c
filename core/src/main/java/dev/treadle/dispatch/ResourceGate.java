package dev.treadle.dispatch;

import dev.treadle.admission.Resources;
import dev.treadle.admission.Resources.PendingAcquire;
import dev.treadle.job.Lane;
import dev.treadle.lifecycle.Lease;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Permits for what jobs use from their begin to their end. They are taken before jobs are claimed, so that nothing is
 * claimed that could not start, and a lane whose resources are held stands in line for them like everybody else. One
 * thread dispatches; any may give back.
 */
public final class ResourceGate {
    private final Resources resources;
    private final Runnable nudge;
    /** One for each different use, held or in line. Touched by the dispatching thread only, as is the next. */
    private final Map<Map<String, Integer>, LaneRequest> places = new HashMap<>();

    private final Set<Map<String, Integer>> asked = new HashSet<>();

    /** A place in line, and whether its turn is worth a nudge: not if it comes before the caller has gone away. */
    private record LaneRequest(PendingAcquire place, AtomicBoolean waits) {}

    /** @param nudge ends the rest of the loop that dispatches */
    public ResourceGate(Resources resources, Runnable nudge) {
        this.resources = resources;
        this.nudge = nudge;
    }

    /** Whether at least one job of a lane may begin; if not, the lane stands in line and a nudge says when it may. */
    boolean admits(Lane lane) {
        if (lane.uses().isEmpty()) {
            return true;
        }
        asked.add(lane.uses());
        return places.computeIfAbsent(lane.uses(), this::stand).place.isGranted();
    }

    private LaneRequest stand(Map<String, Integer> uses) {
        AtomicBoolean waits = new AtomicBoolean();
        PendingAcquire place = resources.stand(uses, () -> {
            if (waits.get()) {
                nudge.run();
            }
        });
        waits.set(true);
        return new LaneRequest(place, waits);
    }

    /** Nobody has asked for these places since this was last called: what they hold is for others. */
    void forgetUnasked() {
        if (!places.isEmpty()) {
            leaveAllBut(asked);
        }
        asked.clear();
    }

    /** Leaves every line. */
    void leave() {
        leaveAllBut(Set.of());
    }

    private void leaveAllBut(Set<Map<String, Integer>> wanted) {
        places.entrySet().removeIf(entry -> {
            boolean gone = !wanted.contains(entry.getKey());
            if (gone) {
                entry.getValue().place.leave();
            }
            return gone;
        });
    }

    /**
     * Takes permits for jobs of a lane that is {@linkplain #admits admitted}.
     *
     * @return for how many, at most {@code wanted}; none if another lane of this turn has used the same place
     */
    int take(Lane lane, int wanted) {
        if (lane.uses().isEmpty()) {
            return wanted;
        }
        // two executors may have found the one place granted in the same turn: it is worth one permit, not two
        int granted = places.remove(lane.uses()) == null ? 0 : 1;
        return wanted == granted ? granted : granted + resources.tryTake(lane.uses(), wanted - granted);
    }

    /** Takes permits for one job that is here already; false if they are not free. */
    boolean tryTake(Lease lease) {
        Map<String, Integer> uses = lease.job().traits().uses();
        return uses.isEmpty() || resources.tryTake(uses, 1) == 1;
    }

    /** No job came for these. */
    void giveBack(Lane lane, int jobs) {
        if (jobs > 0 && !lane.uses().isEmpty()) {
            resources.giveBack(lane.uses(), jobs);
        }
    }

    /** A job needs its permits no more. */
    void giveBack(Lease lease) {
        Map<String, Integer> uses = lease.job().traits().uses();
        if (!uses.isEmpty()) {
            resources.giveBack(uses, 1);
        }
    }
}
