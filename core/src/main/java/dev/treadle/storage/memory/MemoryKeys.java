package dev.treadle.storage.memory;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.KeyRule;
import dev.treadle.lifecycle.KeySlots;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lines of all keys, and the jobs with a key that hold no slot: those in a line, those that wait for their time, and
 * those that are parked. A job with a key that has not ended and is not here holds a slot of its key, if it has slots.
 */
final class MemoryKeys {
    private static final Comparator<InLine> LINE_ORDER =
            Comparator.comparingInt(InLine::rank).thenComparingLong(InLine::position);
    private static final Comparator<ForTime> TIME_ORDER =
            Comparator.comparing(ForTime::dueAt).thenComparing(ForTime::job);

    private final Map<String, KeyQueue> lines = new HashMap<>();
    private final Map<JobId, Place> places = new HashMap<>();
    private final TreeSet<ForTime> forTime = new TreeSet<>(TIME_ORDER);
    private final Consumer<JobId> goOn;
    private long lastPosition;

    /** @param goOn called with each job whose wait is over */
    MemoryKeys(Consumer<JobId> goOn) {
        this.goOn = goOn;
    }

    /** A job's time has come: it goes to the end of its line, and on at once if there is room. */
    void join(Job job, Instant now) {
        KeyRule rule = rule(job);
        KeyQueue line = lines.computeIfAbsent(rule.line(), unseen -> new KeyQueue(KeySlots.empty(rule)));
        int rank = rule instanceof KeyRule.Mailbox ? 0 : job.priority();
        InLine place = new InLine(rank, ++lastPosition, job.id());
        line.waiting.add(place);
        places.put(job.id(), place);
        line.slots = line.slots.under(rule).joined();
        advance(rule.line(), now);
    }

    /** A job without a slot waits for its time. */
    void waitUntil(Job job, Instant dueAt) {
        ForTime place = new ForTime(dueAt, job.id());
        forTime.add(place);
        places.put(job.id(), place);
    }

    /** A job has been parked without a slot. */
    void putAside(Job job) {
        places.put(job.id(), new Aside());
    }

    /** Whether a job with a key is here, so that it holds no slot. */
    boolean has(JobId id) {
        return places.containsKey(id);
    }

    boolean isInLine(JobId id) {
        return places.get(id) instanceof InLine;
    }

    /** A job leaves the queue of its key, or releases its slot, and the next one enters. */
    void leave(Job job, Instant now) {
        KeyRule rule = rule(job);
        Place place = places.remove(job.id());
        KeyQueue line = lines.get(rule.line());
        if (place instanceof InLine inLine && line != null) {
            line.waiting.remove(inLine);
            line.slots = line.slots.left();
        } else if (place instanceof ForTime waits) {
            forTime.remove(waits);
        } else if (place == null && line != null) {
            line.slots = line.slots.released();
        }
        advance(rule.line(), now);
    }

    /** Those whose time has come, those due first first. */
    List<JobId> due(Instant now, int max) {
        return forTime.stream()
                .takeWhile(waits -> !waits.dueAt.isAfter(now))
                .limit(max)
                .map(ForTime::job)
                .toList();
    }

    /** Moves on jobs whose key's rate has room again, and returns how many. */
    int wake(Instant now) {
        int woken = 0;
        for (String name : new TreeSet<>(lines.keySet())) {
            Instant at = lines.get(name).slots.wakeAt();
            if (at != null && !at.isAfter(now)) {
                woken += advance(name, now);
            }
        }
        return woken;
    }

    /** When the next job is due, or the next key has room by its rate. */
    @Nullable
    Instant next() {
        Instant next = forTime.isEmpty() ? null : forTime.first().dueAt;
        for (KeyQueue line : lines.values()) {
            Instant at = line.slots.waiting() > 0 ? line.slots.wakeAt() : null;
            next = at != null && (next == null || at.isBefore(next)) ? at : next;
        }
        return next;
    }

    private int advance(String name, Instant now) {
        KeyQueue line = lines.get(name);
        if (line == null) {
            return 0;
        }
        int room = line.slots.room(now);
        line.slots = room == 0 ? line.slots : line.slots.granted(room, now);
        for (int left = room; left > 0; left--) {
            JobId id = line.waiting.pollFirst().job;
            places.remove(id);
            goOn.accept(id);
        }
        if (line.slots.isIdle(now)) {
            lines.remove(name);
        }
        return room;
    }

    private static KeyRule rule(Job job) {
        KeyRule rule = job.traits().key();
        if (rule == null) {
            throw new IllegalStateException("job " + job.id() + " has no key");
        }
        return rule;
    }

    /** Where a job is that holds no slot. */
    private sealed interface Place {}

    private record InLine(int rank, long position, JobId job) implements Place {}

    private record ForTime(Instant dueAt, JobId job) implements Place {}

    private record Aside() implements Place {}

    private static final class KeyQueue {
        private final TreeSet<InLine> waiting = new TreeSet<>(LINE_ORDER);
        private KeySlots slots;

        KeyQueue(KeySlots slots) {
            this.slots = slots;
        }
    }
}
