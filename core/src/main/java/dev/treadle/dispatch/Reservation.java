package dev.treadle.dispatch;

import dev.treadle.dispatch.WorkerPool.Starter;
import dev.treadle.lifecycle.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The permits of jobs that are about to be inserted and started here. Used by one thread. */
final class Reservation {
    /** The queue of each permit that is held and not used yet. */
    private final List<LocalQueue> held = new ArrayList<>();
    /** Queues that had no permit left. */
    private final List<LocalQueue> tried = new ArrayList<>();

    /** Takes the permits for one job of a queue; false if none is free, or if too many endings here are not recorded yet. */
    boolean take(LocalQueue queue) {
        boolean taken = queue.pool().mayHoldMore() && queue.pool().tryTake(queue);
        if (taken) {
            queue.arrived();
        }
        (taken ? held : tried).add(queue);
        return taken;
    }

    /** Starts inserted jobs. If starting one throws, the rest are given back. */
    void start(
            List<Lease> inserted,
            Function<Lease, LocalQueue> queues,
            BiConsumer<LocalQueue, Lease> start,
            BiConsumer<LocalQueue, Lease> giveBack) {
        int begun = 0;
        try {
            for (Lease lease : inserted) {
                begun++;
                hand(lease, queues, start);
            }
        } finally {
            inserted.subList(begun, inserted.size()).forEach(lease -> hand(lease, queues, giveBack));
        }
    }

    private void hand(Lease lease, Function<Lease, LocalQueue> queues, BiConsumer<LocalQueue, Lease> to) {
        LocalQueue queue = queues.apply(lease);
        use(queue);
        to.accept(queue, lease);
    }

    /** From now on the job holds the permits, and gives them back. */
    private void use(LocalQueue queue) {
        held.remove(queue);
        queue.countClaimed();
    }

    /** Gives back unused permits, and starts jobs that found no permit in the meantime. */
    void giveBack(Starter start) {
        for (LocalQueue queue : held) {
            queue.recorded();
            queue.pool().giveBack(queue);
        }
        tried.addAll(held);
        tried.stream().distinct().forEach(queue -> queue.pool().handOver(queue, start));
    }
}
