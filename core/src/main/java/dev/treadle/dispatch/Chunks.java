package dev.treadle.dispatch;

import dev.treadle.claim.Claimer;
import dev.treadle.invoke.ChunkRule;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Gathers claimed jobs of types that run in chunks, until a chunk is full or its first job has waited long enough. No thread
 * waits for that. Used by the dispatching thread.
 */
final class Chunks {
    private final InstantSource time;
    private final Map<Place, Gathering> open = new LinkedHashMap<>();
    /** How many more jobs to claim than there is room for, where the last claims gave nothing but jobs for chunks. */
    private final Map<LocalQueue, Integer> ahead = new HashMap<>();

    Chunks(InstantSource time) {
        this.time = time;
    }

    /** Jobs of one type in one queue come into one chunk. */
    private record Place(LocalQueue queue, ChunkRule rule) {}

    private record Gathering(Instant until, List<ChunkMember> members) {}

    /** Puts a job to others of its type. */
    void gather(ChunkMember member) {
        Place place = new Place(member.queue(), member.rule());
        Gathering gathering = open.computeIfAbsent(
                place, unseen -> new Gathering(time.instant().plus(member.rule().patience()), new ArrayList<>()));
        gathering.members.add(member);
        member.gathers();
        if (gathering.members.size() >= member.rule().jobs()) {
            open.remove(place);
            complete(gathering);
        }
    }

    /** Has the first of them wait for a permit. */
    private static void complete(Gathering gathering) {
        LocalQueue queue = gathering.members.get(0).queue();
        if (queue.waiting().isEmpty()) {
            queue.startedOne();
        }
        queue.addWaiting(ChunkMember.complete(gathering.members));
    }

    /**
     * Completes chunks whose time is over.
     *
     * @param all also all others
     * @return whether there was one
     */
    boolean completeDue(boolean all) {
        if (open.isEmpty()) {
            return false;
        }
        Instant now = time.instant();
        List<Gathering> due = take(gathering -> all || !gathering.until.isAfter(now), queue -> true);
        due.forEach(Chunks::complete);
        return !due.isEmpty();
    }

    /** Takes the jobs of queues that have not begun to run, to give them back. */
    List<ChunkMember> takeBack(Predicate<LocalQueue> from) {
        if (open.isEmpty()) {
            return List.of();
        }
        List<ChunkMember> members = new ArrayList<>();
        take(any -> true, from).forEach(gathering -> members.addAll(gathering.members));
        return members;
    }

    private List<Gathering> take(Predicate<Gathering> which, Predicate<LocalQueue> from) {
        List<Gathering> taken = new ArrayList<>();
        open.entrySet().removeIf(one -> {
            boolean is = which.test(one.getValue()) && from.test(one.getKey().queue);
            if (is) {
                taken.add(one.getValue());
            }
            return is;
        });
        return taken;
    }

    /** The time until the next chunk is completed, if that is shorter. */
    Duration orUntilNext(Duration rest) {
        Duration shortest = rest;
        if (!open.isEmpty()) {
            Instant now = time.instant();
            for (Gathering gathering : open.values()) {
                Duration left = Duration.between(now, gathering.until);
                shortest = left.compareTo(shortest) < 0 ? left : shortest;
            }
        }
        return shortest.isNegative() ? Duration.ZERO : shortest;
    }

    /** How many jobs to claim for a queue that has room for so many: more, where the last ones filled chunks. */
    int wanted(LocalQueue queue, int room) {
        return ahead.isEmpty()
                ? room
                : Math.min(room + ahead.getOrDefault(queue, 0), Math.max(room, Claimer.CLAIM_BATCH_MAX));
    }

    /**
     * Notes what a claim gave. A node that claims more than can run takes jobs from others, so this begins with few, and
     * ends with the first job that does not run in a chunk.
     */
    void claimed(LocalQueue queue, int wanted, int taken, boolean allForChunks) {
        if (taken < wanted || !allForChunks) {
            if (!ahead.isEmpty()) {
                ahead.remove(queue);
            }
            return;
        }
        int free = 0;
        for (Map.Entry<Place, Gathering> one : open.entrySet()) {
            if (one.getKey().queue == queue) {
                free += one.getKey().rule.jobs() - one.getValue().members.size();
            }
        }
        ahead.put(queue, Math.min(free, 2 * wanted));
    }
}
