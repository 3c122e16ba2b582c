package dev.treadle.claim;

import dev.treadle.job.Lane;
import dev.treadle.storage.DueListener;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.PendingWork.Head;
import dev.treadle.storage.PendingWork.LaneState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows which lanes this node serves, which of them have waiting jobs, and which queues are paused. While this node serves
 * one lane, it asks the storage nothing and claims when it hears of jobs. With several lanes, one statement finds those that
 * have waiting jobs. One thread dispatches; any thread may {@linkplain #look watch} and hint.
 */
public final class Lanes {
    /** How long an answer is used while there is work, in milliseconds. Work in other lanes is not seen earlier. */
    public static final long FRESH_MILLIS = 50;
    /** How long an answer is used while this process enqueues jobs itself and hints at their lanes, in milliseconds. */
    public static final long HINTED_MILLIS = 200;

    private final Supplier<List<Head>> question;
    private final Predicate<Lane> serves;
    private final InstantSource time;
    private final BooleanSupplier isNotified;
    private final Runnable changed;
    /** Lanes in which this process has just enqueued jobs. */
    private final Set<Lane> hints = ConcurrentHashMap.newKeySet();

    private final ReentrantLock watching = new ReentrantLock();
    /** Written by the thread that watches. */
    private volatile Set<Lane> known;

    private volatile Set<String> paused = Set.of();
    private volatile boolean lookAgain = true;
    /** How many due jobs of the one lane were announced to this node alone. */
    private final AtomicInteger announced = new AtomicInteger();
    /** The lanes with waiting jobs, in the order in which to claim. Used by the dispatching thread only, like all below. */
    private final Map<Lane, Head> heads = new LinkedHashMap<>();

    private @Nullable Instant askedAt;
    /** Lanes whose last claim returned as many jobs as it asked for. */
    private final Set<Lane> filled = new HashSet<>();
    /** Whether the storage was asked in the current turn. */
    private boolean asked;

    /**
     * @param question   asks the storage where jobs wait
     * @param serves     which lanes this node may claim from
     * @param isNotified whether the storage notifies this node of all due jobs, so that it need not look for them
     * @param changed    run when a queue was paused or resumed, or a lane was added
     */
    public Lanes(
            Supplier<List<Head>> question,
            Predicate<Lane> serves,
            InstantSource time,
            BooleanSupplier isNotified,
            Runnable changed) {
        this.question = question;
        this.serves = serves;
        this.time = time;
        this.isNotified = isNotified;
        this.changed = changed;
        this.known = serves.test(Lane.DEFAULT) ? Set.of(Lane.DEFAULT) : Set.of();
    }

    /**
     * Asks for the outlook, and takes the states of lanes from it. Answers are taken in order, so that none replaces a newer
     * one. May be called on any thread.
     */
    public PendingWork look(Supplier<PendingWork> outlook) {
        watching.lock();
        try {
            PendingWork answer = outlook.get();
            know(answer.lanes());
            return answer;
        } finally {
            watching.unlock();
        }
    }

    private void know(List<LaneState> states) {
        Set<Lane> lanes = new LinkedHashSet<>();
        Set<String> pausedNow = new LinkedHashSet<>();
        for (LaneState state : states) {
            if (serves.test(state.lane())) {
                lanes.add(state.lane());
                if (state.paused()) {
                    pausedNow.add(state.lane().queue());
                }
            }
        }
        boolean other = !lanes.equals(known) || !pausedNow.equals(paused);
        known = lanes;
        paused = pausedNow;
        if (other) {
            lookAgain();
            changed.run();
        }
    }

    /** Whether this queue is paused, so that no job of it may start here. May be called on any thread. */
    public boolean isPaused(String queue) {
        Set<String> now = paused;
        return !now.isEmpty() && now.contains(queue);
    }

    /** How many of the queues that this node serves are paused. May be called on any thread. */
    public int pausedQueues() {
        return paused.size();
    }

    /** Jobs may be waiting in any lane. May be called on any thread. */
    public void lookAgain() {
        lookAgain = true;
    }

    /** Jobs are waiting in this lane. May be called on any thread. */
    public void hint(Lane lane) {
        hint(lane, DueListener.ANY_NUMBER);
    }

    /**
     * A number of jobs wait in this lane for this node; other nodes take the rest. A node with several lanes claims as many as
     * it has room for. May be called on any thread.
     */
    public void hint(Lane lane, int jobs) {
        if (isOne() && known.contains(lane) && jobs != DueListener.ANY_NUMBER && isNotified.getAsBoolean()) {
            announced.accumulateAndGet(jobs, Lanes::sum);
        } else if (isOne() && known.contains(lane)) {
            lookAgain = true;
        } else if (serves.test(lane)) {
            hints.add(lane);
        }
    }

    private static int sum(int one, int other) {
        return (int) Math.min(DueListener.ANY_NUMBER, (long) one + other);
    }

    /**
     * The lanes that have waiting jobs. Asks the storage if this node heard of jobs or its knowledge is old. A node with one
     * lane does not ask; it returns that lane if it heard of jobs.
     *
     * @param mayAsk whether there is room for jobs that could be found
     */
    public List<Head> heads(BooleanSupplier mayAsk) {
        boolean hinted = takeHints();
        asked = false;
        if (isOne() && heads.keySet().stream().allMatch(known::contains)) {
            Lane only = known.iterator().next();
            heads.clear();
            boolean heard = lookAgain || announced.get() > 0;
            return !heard || isPaused(only.queue()) ? List.of() : List.of(new Head(only, 0, Instant.MIN));
        }
        boolean worthIt = lookAgain || !heads.isEmpty() && isOlderThan(hinted ? HINTED_MILLIS : FRESH_MILLIS);
        if (worthIt && mayAsk.getAsBoolean()) {
            ask();
        }
        heads.keySet().removeIf(lane -> isPaused(lane.queue()));
        return List.copyOf(heads.values());
    }

    /** Whether this node claims from a lane now. May be called on any thread. */
    public boolean mayTake(Lane lane) {
        return serves.test(lane) && !isPaused(lane.queue());
    }

    /** The lanes that this node serves, as far as it knows. May be called on any thread. */
    public Set<Lane> served() {
        return known;
    }

    /** Whether this node serves exactly one lane, as far as it knows. */
    public boolean isOne() {
        return known.size() == 1;
    }

    private boolean isOlderThan(long millis) {
        return askedAt == null || Duration.between(askedAt, time.instant()).toMillis() >= millis;
    }

    private boolean takeHints() {
        boolean any = false;
        for (Lane lane : hints) {
            // first remove, then add: later hints are for the next turn
            hints.remove(lane);
            heads.putIfAbsent(lane, new Head(lane, 0, Instant.MIN));
            any = true;
        }
        return any;
    }

    private void ask() {
        // cleared before asking: a hint that comes in the meantime leads to another question
        lookAgain = false;
        asked = true;
        askedAt = time.instant();
        List<Head> found = question.get();
        heads.clear();
        found.stream().filter(head -> serves.test(head.lane())).forEach(head -> heads.put(head.lane(), head));
    }

    /** How many jobs the next claim may ask for at most, because the others were announced to other nodes. */
    public int announced() {
        int few = announced.get();
        return few > 0 && isOne() && !lookAgain ? few : DueListener.ANY_NUMBER;
    }

    /** A claim of at most {@code wanted} jobs begins. Jobs that are heard of from now on are for the next claim. */
    public void claims(int wanted) {
        if (isOne()) {
            lookAgain = false;
        }
        announced.updateAndGet(jobs -> Math.max(0, jobs - wanted));
    }

    /**
     * Takes note of what a claim returned.
     *
     * @param found        how many jobs it returned
     * @param all          whether that is as many as it asked for, so that there are probably more
     * @param lastPriority the priority of the last job
     */
    public void claimed(Lane lane, int found, boolean all, int lastPriority) {
        heads.remove(lane);
        boolean wasFilled = all ? !filled.add(lane) : filled.remove(lane);
        if (all) {
            // last among equal priorities: it is not known when its next job became due
            heads.put(lane, new Head(lane, lastPriority, Instant.MAX));
        }
        // a short claim after a full one may have left jobs before the point where the full one ended; and without
        // notifications, where jobs came more may come
        lookAgain |= all && isOne() || found > 0 && !all && (wasFilled || !isNotified.getAsBoolean());
        // nothing left in this lane: only a look at the others shows whether new jobs may start directly again
        lookAgain |= found == 0 && wasFilled && !isOne();
    }

    /** Whether jobs are known to wait. */
    public boolean anyWaiting() {
        return !heads.isEmpty();
    }

    /** Whether the storage was asked in this turn, and all that it found has been claimed. */
    public boolean isNothingWaiting() {
        return heads.isEmpty() && (isOne() || asked);
    }
}
