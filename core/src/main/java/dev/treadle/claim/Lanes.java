package dev.treadle.claim;

import dev.treadle.job.Lane;
import dev.treadle.storage.DueListener;
import dev.treadle.storage.QueueStorage;
import dev.treadle.storage.QueueStorage.Head;
import dev.treadle.storage.QueueStorage.LaneState;
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
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which lanes this node serves, where something waits, and which queues are paused, as far as it knows. As long as it
 * serves one lane, it asks the storage nothing here, and claims when it has heard of jobs; of several lanes one
 * statement says where something waits. One thread dispatches, any may {@linkplain #turn watch} and hint.
 */
public final class Lanes {
    /** How long an answer is good while there is work, in milliseconds: work in other lanes is not seen before. */
    public static final long FRESH_MILLIS = 50;
    /** How long it is good while this process puts in work itself and says where, in milliseconds. */
    public static final long HINTED_MILLIS = 200;

    private final QueueStorage queues;
    private final Predicate<Lane> serves;
    private final InstantSource time;
    private final BooleanSupplier isTold;
    private final Runnable changed;
    /** Lanes in which a job was just put by this process. */
    private final Set<Lane> hints = ConcurrentHashMap.newKeySet();

    private final ReentrantLock watching = new ReentrantLock();
    /** Written by the thread that watches. */
    private volatile Set<Lane> known;

    private volatile Set<String> paused = Set.of();
    private volatile boolean lookAgain = true;
    /** Of so many jobs in the one lane this node was told as the only one. */
    private final AtomicInteger told = new AtomicInteger();
    /** Where something waits, in the order in which to take it. Touched by the dispatching thread only, as is all below. */
    private final Map<Lane, Head> heads = new LinkedHashMap<>();

    private @Nullable Instant askedAt;
    /** Those whose last claim gave all that was asked for. */
    private final Set<Lane> filled = new HashSet<>();
    /** In the present turn. */
    private boolean asked;

    /**
     * @param serves  which lanes this node may take from
     * @param isTold  whether every job that others make due is told here, so that none need be looked for
     * @param changed told when a queue was paused or resumed, or a lane was found
     */
    public Lanes(
            QueueStorage queues, Predicate<Lane> serves, InstantSource time, BooleanSupplier isTold, Runnable changed) {
        this.isTold = isTold;
        this.queues = queues;
        this.serves = serves;
        this.time = time;
        this.changed = changed;
        this.known = serves.test(Lane.DEFAULT) ? Set.of(Lane.DEFAULT) : Set.of();
    }

    /** Looks for pauses and new lanes. Any thread. */
    public void turn() {
        know(queues::lanes, states -> states);
    }

    /** The same with a question that asks for more. One after the other, so that no older answer comes to stand. */
    public <T> T know(Supplier<T> question, Function<T, List<LaneState>> states) {
        watching.lock();
        try {
            T answer = question.get();
            know(states.apply(answer));
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
        hint(lane, DueListener.ANY_NUMBER);
    }

    /**
     * The same for so many jobs, while other nodes take the others. A node of several lanes claims what it has room for.
     * Any thread.
     */
    public void hint(Lane lane, int jobs) {
        if (isOne() && known.contains(lane) && jobs != DueListener.ANY_NUMBER && isTold.getAsBoolean()) {
            told.accumulateAndGet(jobs, Lanes::sum);
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
     * Where something waits; asks the storage if something was heard of, or what is known is not fresh. With one lane only,
     * that one, unasked, if something was heard of.
     *
     * @param mayAsk whether there is room for what could be found
     */
    public List<Head> heads(BooleanSupplier mayAsk) {
        boolean hinted = takeHints();
        asked = false;
        if (isOne() && heads.keySet().stream().allMatch(known::contains)) {
            Lane only = known.iterator().next();
            heads.clear();
            boolean heard = lookAgain || told.get() > 0;
            return !heard || isPaused(only.queue()) ? List.of() : List.of(new Head(only, 0, Instant.MIN));
        }
        boolean worthIt = lookAgain || !heads.isEmpty() && isOlderThan(hinted ? HINTED_MILLIS : FRESH_MILLIS);
        if (worthIt && mayAsk.getAsBoolean()) {
            ask();
        }
        heads.keySet().removeIf(lane -> isPaused(lane.queue()));
        return List.copyOf(heads.values());
    }

    /** Whether this node takes from a lane now. Any thread. */
    public boolean mayTake(Lane lane) {
        return serves.test(lane) && !isPaused(lane.queue());
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
        // before asking: a hint that arrives during the question leads to another
        lookAgain = false;
        asked = true;
        askedAt = time.instant();
        List<Head> found = queues.heads();
        heads.clear();
        found.stream().filter(head -> serves.test(head.lane())).forEach(head -> heads.put(head.lane(), head));
    }

    /** How many jobs the next claim is to ask for at most, since others are told of those that wait besides. */
    public int told() {
        int few = told.get();
        return few > 0 && isOne() && !lookAgain ? few : DueListener.ANY_NUMBER;
    }

    /** A claim of at most so many begins: what is heard of from now on is for the next one. */
    public void claims(int wanted) {
        if (isOne()) {
            lookAgain = false;
        }
        told.updateAndGet(jobs -> Math.max(0, jobs - wanted));
    }

    /**
     * What a claim from a lane came to.
     *
     * @param found        how many jobs it gave
     * @param all          whether that is all that there was room for, so there is probably more
     * @param lastPriority of the last job it gave
     */
    public void claimed(Lane lane, int found, boolean all, int lastPriority) {
        heads.remove(lane);
        boolean wasFilled = all ? !filled.add(lane) : filled.remove(lane);
        if (all) {
            // last among its equals: when its next job came due is not known
            heads.put(lane, new Head(lane, lastPriority, Instant.MAX));
        }
        // one that was short after a full one may have left jobs before the place where that ended; and where nobody
        // tells, more come where some came
        lookAgain |= all && isOne() || found > 0 && !all && (wasFilled || !isTold.getAsBoolean());
        // nothing more in this one: only a look at the others says whether new jobs may start at once again
        lookAgain |= found == 0 && wasFilled && !isOne();
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
