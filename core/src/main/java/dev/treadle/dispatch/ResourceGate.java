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
 * Takes the permits of the resources that jobs hold while they run. Permits are taken before jobs are claimed, so that no
 * job is claimed that could not start. A lane whose resources are taken waits for them in the same order as running
 * jobs. One thread dispatches; any thread may give back.
 */
public final class ResourceGate {
    private final Resources resources;
    private final Runnable nudge;
    /** One request for each set of amounts. Used by the dispatching thread only, like the next field. */
    private final Map<Map<String, Integer>, LaneRequest> requests = new HashMap<>();

    private final Set<Map<String, Integer>> requested = new HashSet<>();

    /** A request, and whether to nudge when it is granted: not if it is granted at once. */
    private record LaneRequest(PendingAcquire acquire, AtomicBoolean waits) {}

    /** @param nudge wakes the loop that dispatches */
    public ResourceGate(Resources resources, Runnable nudge) {
        this.resources = resources;
        this.nudge = nudge;
    }

    /** Whether at least one job of a lane may start. If not, the lane waits for its resources, and nudges when it gets them. */
    boolean admits(Lane lane) {
        if (lane.uses().isEmpty()) {
            return true;
        }
        requested.add(lane.uses());
        return requests.computeIfAbsent(lane.uses(), this::request).acquire.isGranted();
    }

    private LaneRequest request(Map<String, Integer> uses) {
        AtomicBoolean waits = new AtomicBoolean();
        PendingAcquire acquire = resources.request(uses, () -> {
            if (waits.get()) {
                nudge.run();
            }
        });
        waits.set(true);
        return new LaneRequest(acquire, waits);
    }

    /** Withdraws requests that no lane has made since the last call, and gives back what they hold. */
    void leaveUnrequested() {
        if (!requests.isEmpty()) {
            leaveAllBut(requested);
        }
        requested.clear();
    }

    /** Withdraws all requests. */
    void leave() {
        leaveAllBut(Set.of());
    }

    private void leaveAllBut(Set<Map<String, Integer>> wanted) {
        requests.entrySet().removeIf(entry -> {
            boolean gone = !wanted.contains(entry.getKey());
            if (gone) {
                entry.getValue().acquire.leave();
            }
            return gone;
        });
    }

    /**
     * Takes permits for jobs of a lane that is {@linkplain #admits admitted}.
     *
     * @return for how many, at most {@code wanted}; none if another lane has used the same request in this turn
     */
    int take(Lane lane, int wanted) {
        if (lane.uses().isEmpty()) {
            return wanted;
        }
        // two executors may have found the request granted in the same turn: it is worth one job, not two
        int granted = requests.remove(lane.uses()) == null ? 0 : 1;
        return wanted == granted ? granted : granted + resources.tryTake(lane.uses(), wanted - granted);
    }

    /** Takes the permits of one job that is already leased to this node; false if they are not free. */
    boolean tryTake(Lease lease) {
        Map<String, Integer> uses = lease.job().traits().uses();
        return uses.isEmpty() || resources.tryTake(uses, 1) == 1;
    }

    /** Gives back permits for which no job was claimed. */
    void giveBack(Lane lane, int jobs) {
        if (jobs > 0 && !lane.uses().isEmpty()) {
            resources.giveBack(lane.uses(), jobs);
        }
    }

    /** Gives back the permits of a job. */
    void giveBack(Lease lease) {
        Map<String, Integer> uses = lease.job().traits().uses();
        if (!uses.isEmpty()) {
            resources.giveBack(uses, 1);
        }
    }
}
