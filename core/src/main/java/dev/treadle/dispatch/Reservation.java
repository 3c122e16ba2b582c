package dev.treadle.dispatch;

import dev.treadle.dispatch.PoolQueues.Starter;
import dev.treadle.lifecycle.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** The permits of jobs that are about to be inserted and started here. Used by one thread. */
final class Reservation {
    private final LocalQueues queues;
    /** The queue of each permit that is held and not used yet. */
    private final List<LocalQueue> held = new ArrayList<>();
    /** Queues that had no permit left. */
    private final List<LocalQueue> tried = new ArrayList<>();

    Reservation(LocalQueues queues) {
        this.queues = queues;
    }

    /** Takes the permits for one job of a queue; false if none is free, or if too many endings here are not recorded yet. */
    boolean take(LocalQueue queue) {
        boolean taken =
                queues.sharing(queue).mayHoldMore() && queues.sharing(queue).tryTake(queue);
        if (taken) {
            queue.arrived();
        }
        (taken ? held : tried).add(queue);
        return taken;
    }

    /** Starts inserted jobs. If starting one throws, the rest are given back. */
    void start(List<Lease> inserted, BiConsumer<LocalQueue, Lease> start, BiConsumer<LocalQueue, Lease> giveBack) {
        int begun = 0;
        try {
            for (Lease lease : inserted) {
                begun++;
                hand(lease, start);
            }
        } finally {
            inserted.subList(begun, inserted.size()).forEach(lease -> hand(lease, giveBack));
        }
    }

    private void hand(Lease lease, BiConsumer<LocalQueue, Lease> to) {
        LocalQueue queue = queues.of(lease.job().traits().queue());
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
            queues.giveBack(queue);
        }
        tried.addAll(held);
        tried.stream().distinct().forEach(queue -> queues.handOver(queue, start));
    }
}
