package dev.treadle.claim;

import dev.treadle.job.Lane;
import dev.treadle.storage.QueueStorage;
import dev.treadle.storage.QueueStorage.Head;
import dev.treadle.storage.QueueStorage.LaneState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which lanes this node serves, where something waits, and which queues are paused, as far as it knows. As long as it
 * serves one lane, it asks the storage nothing here but once a second, and claims on trust; of several lanes one
 * statement says where something waits. One thread dispatches, any may {@linkplain #turn watch} and hint.
 */
public final class Lanes {
    /** How often pauses and new lanes are looked for, in milliseconds. */
    public static final long WATCH_MILLIS = 1_000;
    /** How long an answer is good while there is work, in milliseconds: work in other lanes is not seen before. */
    public static final long FRESH_MILLIS = 50;
    /** How long it is good while this process puts in work itself and says where, in milliseconds. */
    public static final long HINTED_MILLIS = 200;

    private final QueueStorage queues;
    private final Predicate<Lane> serves;
    private final InstantSource time;
    private final Runnable changed;
    /** Lanes in which a job was just put by this process. */
    private final Set<Lane> hints = ConcurrentHashMap.newKeySet();

    private final ReentrantLock watching = new ReentrantLock();
    /** Written by whoever watches. */
    private volatile Set<Lane> known;

    private volatile Set<String> paused = Set.of();
    private volatile boolean lookAgain = true;
    /** Where something waits, in the order in which to take it. Touched by the dispatching thread only, as is all below. */
    private final Map<Lane, Head> heads = new LinkedHashMap<>();

    private @Nullable Instant askedAt;
    /** In the present turn. */
    private boolean asked;

    /**
     * @param serves  which lanes this node may take from
     * @param changed told when a queue was paused or resumed, or a lane was found
     */
    public Lanes(QueueStorage queues, Predicate<Lane> serves, InstantSource time, Runnable changed) {
        this.queues = queues;
        this.serves = serves;
        this.time = time;
        this.changed = changed;
        this.known = serves.test(Lane.DEFAULT) ? Set.of(Lane.DEFAULT) : Set.of();
    }

    /** Looks for pauses and new lanes. Any thread: one after the other, so that no older answer comes to stand. */
    public Duration turn() {
        watching.lock();
        try {
            look();
        } finally {
            watching.unlock();
        }
        return Duration.ofMillis(WATCH_MILLIS);
    }

    private void look() {
        List<LaneState> states = queues.lanes();
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

    /** Whether no job of this queue may begin here. Any thread. */
    public boolean isPaused(String queue) {
        Set<String> now = paused;
        return !now.isEmpty() && now.contains(queue);
    }

    /** How many queues are paused of those that this node serves. Any thread. */
    public int pausedQueues() {
        return paused.size();
    }

    /** Something may wait anywhere. Any thread. */
    public void lookAgain() {
        lookAgain = true;
    }

    /** Something waits in this lane. Any thread. */
    public void hint(Lane lane) {
        boolean only = isOne() && known.contains(lane);
        if (!only && serves.test(lane)) {
            hints.add(lane);
        }
    }

    /**
     * Where something waits; asks the storage if what is known is not fresh. With one lane only, that one, unasked.
     *
     * @param mayAsk whether there is room for what could be found
     */
    public List<Head> heads(BooleanSupplier mayAsk) {
        boolean hinted = takeHints();
        asked = false;
        if (isOne() && heads.keySet().stream().allMatch(known::contains)) {
            Lane only = known.iterator().next();
            heads.clear();
            return isPaused(only.queue()) ? List.of() : List.of(new Head(only, 0, Instant.MIN));
        }
        boolean worthIt = lookAgain || heads.isEmpty() || isOlderThan(hinted ? HINTED_MILLIS : FRESH_MILLIS);
        if (worthIt && mayAsk.getAsBoolean()) {
            ask();
        }
        heads.keySet().removeIf(lane -> isPaused(lane.queue()));
        return List.copyOf(heads.values());
    }

    /** The lanes that this node serves, as far as it knows. Any thread. */
    public Set<Lane> served() {
        return known;
    }

    /** Whether this node serves one lane, as far as it knows. */
    public boolean isOne() {
        return known.size() == 1;
    }

    private boolean isOlderThan(long millis) {
        return askedAt == null || Duration.between(askedAt, time.instant()).toMillis() >= millis;
    }

    private boolean takeHints() {
        boolean any = false;
        for (Lane lane : hints) {
            // first out, then in: what is hinted at after this is for the next turn
            hints.remove(lane);
            heads.putIfAbsent(lane, new Head(lane, 0, Instant.MIN));
            any = true;
        }
        return any;
    }

    private void ask() {
        // before asking: what is hinted at meanwhile is asked for again
        lookAgain = false;
        asked = true;
        askedAt = time.instant();
        List<Head> found = queues.heads();
        heads.clear();
        found.stream().filter(head -> serves.test(head.lane())).forEach(head -> heads.put(head.lane(), head));
    }

    /**
     * What a claim from a lane came to.
     *
     * @param all          it gave all that was asked for, so there is probably more
     * @param lastPriority of the last job it gave
     */
    public void claimed(Lane lane, boolean all, int lastPriority) {
        heads.remove(lane);
        if (all) {
            // last among its equals: when its next job came due is not known
            heads.put(lane, new Head(lane, lastPriority, Instant.MAX));
        }
    }

    /** Whether something is known to wait. */
    public boolean anyWaiting() {
        return !heads.isEmpty();
    }

    /** Whether it was asked just now, and all that was found has been claimed. */
    public boolean isNothingWaiting() {
        return heads.isEmpty() && (isOne() || asked);
    }
}
